import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import type { FormField } from '#contract/form.ts'
import type { SsoProvider, SsoSettings } from '#contract/sso.ts'
import { queries } from '#web/data/queries.ts'
import { useSession } from '#web/data/session.ts'
import { Field } from '#web/engines/form/field.tsx'
import { Loaded } from '#web/engines/loaded.tsx'
import { PasswordDialog } from '#web/engines/password-dialog.tsx'
import { CopyField } from '#web/ui/copy-field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageCard } from '#web/ui/page-card.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { SsoState } from './sso-state.tsx'
import { useSso, type Sso, type SsoValues } from './use-sso.ts'
import classes from './sso.module.css'

/** How the users of the company sign in at its own service. */
export function SsoPanel() {
  const { id } = useSession().auth_user.company
  const query = useQuery(queries.sso(id))
  return (
    <PageCard title="Single Sign-On" help="Users sign in at a service of your company that supports OpenID Connect." wide>
      <Loaded query={query} skeleton={<SkeletonRows rows={4} label="Loading the single sign-on" />}>
        {(settings) => <SsoForm companyId={id} settings={settings} />}
      </Loaded>
    </PageCard>
  )
}

const field = (name: keyof SsoValues, label: string, type: FormField['type'], more: Partial<FormField> = {}): FormField => ({
  name,
  label,
  type,
  value: null,
  required: type === 'text',
  ...more,
})

const STORED_SECRET = { placeholder: 'A secret is stored', help: 'Leave this empty to keep the stored secret, which is never shown again.' }

const serviceFields = (provider: SsoProvider | null): FormField[] => [
  field('issuer', 'Issuer', 'text', { placeholder: 'https://login.example.com', help: 'The address of the sign-in service.', max: 500 }),
  field('client_id', 'Client ID', 'text', { max: 300 }),
  field('client_secret', 'Client secret', 'password', provider === null ? { required: true } : STORED_SECRET),
  field('domains', 'Email domains', 'text', {
    placeholder: 'example.com',
    help: 'Separated by commas. Users with an email in one of them can sign in.',
  }),
]

const ENABLED = field('enabled', 'Users can sign in with single sign-on', 'checkbox')
const ONLY = field('only', 'Only single sign-on', 'checkbox', {
  help: 'Turns passwords, codes and passkeys off for everyone but the emergency administrator.',
})
const emergencyField = (administrators: SsoSettings['administrators']) =>
  field('emergency_user_id', 'Emergency administrator', 'select', {
    required: true,
    options: administrators.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` })),
    help: 'Still signs in with a password, for the case that the service does not work.',
  })

interface SsoFormProps {
  companyId: string
  settings: SsoSettings
}

function SsoForm({ companyId, settings }: SsoFormProps) {
  const { provider, administrators } = settings
  const sso = useSso(companyId, settings)
  const [open, setOpen] = useState<'save' | 'remove' | null>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    // The dialog of the password is still closing.
    if (Object.keys(sso.errors).length > 0) setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }, [sso.errors])
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sso.check()) setOpen('save')
  }
  return (
    <>
      <form ref={form} className={classes['form']} noValidate onSubmit={submit} aria-label="Single Sign-On">
        <div className={classes['columns']}>
          <div className={classes['fields']}>
            <Fields sso={sso} fields={serviceFields(provider)} />
          </div>
          <div className={classes['fields']}>
            <CopyField label="Redirect address for the service" value={settings.redirect_uri} copied="The redirect address was copied." />
            <Fields sso={sso} fields={[ENABLED, ONLY, ...(sso.values.only ? [emergencyField(administrators)] : [])]} />
            {sso.values.only && sso.values.enabled && provider?.last_sign_in_at == null && (
              <Notice kind="warning">No user has signed in with it yet. Try it before you turn off the other ways to sign in.</Notice>
            )}
          </div>
        </div>
        {provider !== null && <SsoState provider={provider} sso={sso} />}
        {sso.isStale && (
          <Notice kind="warning">
            Another user changed the single sign-on in the meantime. Your changes are still here; check them and save again.
          </Notice>
        )}
        <Group>
          <Button type="submit" disabled={!sso.dirty}>
            Save Single Sign-On
          </Button>
          {sso.dirty && (
            <Button variant="default" onClick={sso.discard}>
              Discard changes
            </Button>
          )}
          {provider !== null && (
            <Button variant="subtle" color="brick" onClick={() => setOpen('remove')}>
              Remove
            </Button>
          )}
        </Group>
      </form>
      {/* Not in the form, which would be submitted with it. */}
      {open !== null && <ConfirmDialog action={open} sso={sso} settings={settings} onClose={() => setOpen(null)} />}
    </>
  )
}

const Fields = ({ fields, sso: { values, errors, change } }: { fields: readonly FormField[]; sso: Sso }) =>
  fields.map((one) => (
    <Field
      key={one.name}
      field={one}
      value={values[one.name as keyof SsoValues]} // as `field` made them
      error={errors[one.name]}
      onChange={(value) => change({ [one.name]: value })}
    />
  ))

interface ConfirmDialogProps extends Pick<SsoFormProps, 'settings'> {
  action: 'save' | 'remove'
  sso: Sso
  onClose: () => void
}

function ConfirmDialog({ action, sso, settings: { provider, administrators }, onClose }: ConfirmDialogProps) {
  if (action === 'remove')
    return (
      <PasswordDialog
        title="Remove single sign-on"
        message="The settings are deleted, and all users sign in with their passwords again. Users without one can ask for a link to set it."
        confirm="Remove"
        danger
        send={sso.remove}
        onClose={onClose}
      />
    )
  const { only, enabled, emergency_user_id } = sso.values
  const isNew = only && enabled && !(provider?.enabled === true && !provider.password_allowed)
  const name = administrators.find(({ id }) => id === emergency_user_id)?.name ?? ''
  return (
    <PasswordDialog
      title="Save single sign-on"
      message={
        isNew
          ? `All other users of your company are signed out, and only ${name} can still sign in with a password.`
          : 'These settings decide who can sign in as which user.'
      }
      confirm="Save"
      danger={isNew}
      send={sso.save}
      onClose={onClose}
    />
  )
}
