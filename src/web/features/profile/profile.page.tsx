import { Button, Checkbox, PasswordInput, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PHONE_MASK, maskPhone } from '#contract/format.ts'
import { profileCalls, type Profile } from '#contract/profile.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { PageCard, PageCards } from '#web/ui/page-card.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { toast } from '#web/ui/toast.tsx'
import { NotificationPreferences } from './notification-preferences.tsx'
import { Devices } from './devices.tsx'
import { SigningIn } from './signing-in.tsx'
import { showSaveError, useProfileEdit } from './use-profile-edit.ts'
import classes from './profile.module.css'

/** The user's own name, sign-in and devices. */
export function ProfilePage() {
  usePageTitle('My Profile')
  const { via_invite, via_share_link } = useSession().auth_user
  const query = useQuery(queries.profile())
  return (
    <PageCards>
      <PageCard title="Account Profile">
        <Loaded query={query} skeleton={<SkeletonRows rows={4} label="Loading your profile" />}>
          {(profile) => <EditedProfile profile={profile} />}
        </Loaded>
      </PageCard>
      <PhoneFactor />
      <PageCard title="Password">
        <PasswordForm />
      </PageCard>
      <SigningIn />
      {!via_invite && !via_share_link && <NotificationPreferences />}
      <Devices />
    </PageCards>
  )
}

/** Shows the newest profile until the user changes something; after that only a save brings a newer one. */
function EditedProfile({ profile }: { profile: Profile }) {
  const [edited, setEdited] = useState<Profile | null>(null)
  const shown = edited ?? profile
  return <ProfileForm key={shown.version} profile={shown} onDirty={(dirty) => setEdited(dirty ? shown : null)} />
}

interface ProfileFormProps {
  profile: Profile
  onDirty: (dirty: boolean) => void
}

function ProfileForm({ profile, onDirty }: ProfileFormProps) {
  const { form, changesSignIn, dirty, save } = useProfileEdit(profile, onDirty)
  return (
    <form className={classes['form']} noValidate onSubmit={form.onSubmit(save)} aria-label="Account Profile">
      <div className={classes['names']}>
        <TextInput label="First Name" size="md" autoComplete="given-name" maxLength={60} {...form.getInputProps('first_name')} />
        <TextInput label="Last Name" size="md" autoComplete="family-name" maxLength={60} {...form.getInputProps('last_name')} />
      </div>
      <TextInput label="Email Address" size="md" type="email" autoComplete="username" maxLength={254} {...form.getInputProps('email')} />
      <Checkbox
        label="Enable Email 2FA"
        description="Asks for a code by email at each sign-in."
        {...form.getInputProps('enable_2fa', { type: 'checkbox' })}
      />
      {changesSignIn && (
        <PasswordInput
          label="Current Password"
          description="Required to change how you sign in."
          size="md"
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
        />
      )}
      <Button type="submit" loading={form.submitting} disabled={!dirty}>
        Save Changes
      </Button>
    </form>
  )
}

/** Codes for the second factor are only sent by email, so users do not see the panel for a phone. */
function PhoneFactor() {
  const [phone, setPhone] = useState('')
  return (
    <div hidden>
      <PageCard title="Phone 2FA">
        <TextInput
          label="Phone"
          type="tel"
          placeholder={PHONE_MASK}
          value={phone}
          onChange={(event) => setPhone(maskPhone(event.currentTarget.value))}
        />
      </PageCard>
    </div>
  )
}

const NO_PASSWORDS = { current_password: '', password: '', password_confirmation: '' }

function PasswordForm() {
  const client = useQueryClient()
  const form = useForm({ initialValues: NO_PASSWORDS })
  const { current_password: current, password, password_confirmation: repeated } = form.values
  const complete = current !== '' && password !== '' && password === repeated
  const save = async (body: typeof form.values) => {
    try {
      const { message } = await api(profileCalls.password, { body })
      form.reset()
      toast.success(message)
      void client.invalidateQueries({ queryKey: queries.devices().queryKey })
      void client.invalidateQueries({ queryKey: queries.profile().queryKey })
    } catch (error) {
      showSaveError(error, form)
    }
  }
  const mismatch = repeated !== '' && !password.startsWith(repeated) ? 'The passwords you entered do not match' : undefined
  return (
    <form className={classes['form']} noValidate onSubmit={form.onSubmit(save)} aria-label="Password">
      <PasswordInput label="Current Password" size="md" autoComplete="current-password" {...form.getInputProps('current_password')} />
      <PasswordInput label="New Password" size="md" autoComplete="new-password" {...form.getInputProps('password')} />
      <PasswordInput
        label="Confirm New Password"
        size="md"
        autoComplete="new-password"
        {...form.getInputProps('password_confirmation')}
        error={form.errors['password_confirmation'] ?? mismatch}
      />
      <Button type="submit" loading={form.submitting} disabled={!complete}>
        Change Password
      </Button>
    </form>
  )
}
