import { Button, Radio, Stack, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import type { Invite } from '#contract/account-invites.ts'
import { EMAIL_BLANK } from '#contract/session.ts'
import { firstMessages, isApiError } from '#web/data/errors.ts'
import { grantQueries } from '#web/data/grant-queries.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { PanelFooter, RoutePanel, useClosePanel, useUnsavedChanges } from '#web/engines/panel/route-panel.tsx'
import { paths } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { useCreateInvite, type InviteValues } from './create-invite.ts'
import { InviteLinkDialog } from './invite-link-dialog.tsx'
import classes from './invites.module.css'
import { useInviteMethod } from './use-invite-method.ts'

/** The value of `search` in the address that chooses the role for people who only upload. */
const UPLOAD_ONLY = 'upload_only'
const MOST_INVITED = 'invite_guest'

type Roles = readonly { name: string; label: string; help: string }[]

/** Invites a person to an account, then shows the link of the invitation. */
export function InviteFormPanel({ id }: { id: string }) {
  const preset = useSearchParams()['search'] === UPLOAD_ONLY ? UPLOAD_ONLY : MOST_INVITED
  const [invite, setInvite] = useState<Invite | null>(null)
  const close = useClosePanel(paths.account(id), preset === UPLOAD_ONLY ? ['search'] : [])
  const query = useQuery(grantQueries.roles())
  const chooseMethod = useInviteMethod(id)
  const created = (result: Invite) => {
    setInvite(result)
    if (preset === UPLOAD_ONLY) chooseMethod()
  }
  if (invite !== null) return <InviteLinkDialog invite={invite} onClose={close} />
  return (
    <RoutePanel title="Invite someone" size="small" closeTo={paths.account(id)} dropped={preset === UPLOAD_ONLY ? ['search'] : []}>
      <Loaded query={query} skeleton={<SkeletonRows rows={6} label="Loading the form" />}>
        {(roles) => <InviteForm accountId={id} roles={roles} preset={preset} onCreated={created} onCancel={close} />}
      </Loaded>
    </RoutePanel>
  )
}

interface InviteFormProps {
  accountId: string
  roles: Roles
  preset: string
  onCreated: (invite: Invite) => void
  onCancel: () => void
}

const EMPTY = { email: '', first_name: '', last_name: '', company: '' }
const FIELDS = [
  { name: 'email', label: 'Email', type: 'email', required: true, maxLength: 254 },
  { name: 'first_name', label: 'First name', type: 'text', required: false, maxLength: 60 },
  { name: 'last_name', label: 'Last name', type: 'text', required: false, maxLength: 60 },
  { name: 'company', label: 'Company', type: 'text', required: false, maxLength: 120 },
] as const

function InviteForm({ accountId, roles, preset, onCreated, onCancel }: InviteFormProps) {
  const [values, setValues] = useState(EMPTY)
  const [role, setRole] = useState(() => (roles.some(({ name }) => name === preset) ? preset : ''))
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const creating = useCreateInvite({
    accountId,
    onCreated: (invite) => {
      saved()
      onCreated(invite)
    },
  })
  const saved = useUnsavedChanges(
    Object.values(values).some((value) => value !== ''),
    creating.isPending,
  )
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (creating.isPending) return
    const found = errorsOf({ ...values, role })
    setErrors(found)
    if (Object.keys(found).length > 0) return
    creating.mutate({ ...values, role }, { onError: (error) => setErrors(isApiError(error) ? firstMessages(error) : {}) })
  }
  return (
    <form onSubmit={submit} noValidate style={{ display: 'contents' }}>
      <Stack>
        {FIELDS.map(({ name, label, ...field }) => (
          <TextInput
            key={name}
            {...field}
            label={label}
            autoComplete="off"
            data-autofocus={name === 'email' || undefined}
            value={values[name]}
            error={errors[name]}
            onChange={({ currentTarget: { value } }) => setValues((before) => ({ ...before, [name]: value }))}
          />
        ))}
        <RoleChoice roles={roles} value={role} error={errors['role']} onChange={setRole} />
      </Stack>
      <PanelFooter>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={creating.isPending}>
          Create invitation
        </Button>
      </PanelFooter>
    </form>
  )
}

const errorsOf = ({ email, role }: InviteValues): Record<string, string> => ({
  ...(email?.trim() ? {} : { email: EMAIL_BLANK }),
  ...(role ? {} : { role: 'Please choose what this person may do.' }),
})

interface RoleChoiceProps {
  roles: Roles
  value: string
  error: string | undefined
  onChange: (role: string) => void
}

const RoleChoice = ({ roles, value, error, onChange }: RoleChoiceProps) => (
  <Radio.Group label="What this person may do" required value={value} error={error} onChange={onChange}>
    <div className={classes['roles']}>
      {roles.map(({ name, label, help }) => (
        <Radio key={name} value={name} label={label} description={help} />
      ))}
    </div>
  </Radio.Group>
)
