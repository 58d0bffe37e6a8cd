import { Button, Checkbox, Group, PasswordInput, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { LINK_LABEL_MAX_CHARACTERS, LINK_MAX_DAYS } from '#contract/guest-limits.ts'
import { LINK_RIGHTS } from '#contract/guests.ts'
import { LINK_PROTECTIONS, sharingCalls, type ShareLink } from '#contract/sharing.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError } from '#web/data/errors.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { showError } from '#web/engines/show-error.ts'
import { toast } from '#web/ui/toast.tsx'
import { Choice } from './choice.tsx'
import { LinkScope } from './link-scope.tsx'
import { bodyOf, errorsOf, valuesOf, type LinkValues } from './link-values.ts'
import type { Ask } from './share-types.ts'

interface LinkFormProps {
  accountId: string
  /** Null for a new one. */
  link: ShareLink | null
  ask: Ask
  onClose: () => void
}

const NO_END = {
  title: 'A link without an end',
  message: 'This link works until you revoke it. Everyone who gets it can open the account.',
  confirm: 'Continue without an end',
}

/** A new named link, or the values of an existing one. */
export function LinkForm({ accountId, link, ask, onClose }: LinkFormProps) {
  const [values, setValues] = useState(() => valuesOf(link))
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const set = (patch: Partial<LinkValues>) => setValues((before) => ({ ...before, ...patch }))
  const saving = useMutation({
    mutationFn: () => {
      const body = bodyOf(values)
      return link === null
        ? api(sharingCalls.createLink, { params: { id: accountId }, body })
        : api(sharingCalls.updateLink, { params: { id: accountId, link_id: link.id }, body })
    },
    onSuccess: () => {
      toast.success(link === null ? 'The link was created. Copy it and send it.' : 'The link was changed.')
      onClose()
    },
    onError: (error) => {
      const found = isApiError(error) ? firstMessages(error) : {}
      setErrors(found)
      if (Object.keys(found).length === 0) showError(error)
    },
    onSettled: () => invalidateAfterWrite('account_invites', link?.id ?? null, accountId),
  })
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (saving.isPending) return
    const found = errorsOf(values, link)
    setErrors(found)
    if (Object.keys(found).length > 0) return
    const losesEnd = values.endless && (link === null || link.expires_at.date !== null)
    if (!losesEnd || (await ask(NO_END))) saving.mutate()
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label={link === null ? 'Create a named link' : `Edit ${link.label}`}>
      <Stack gap="sm">
        <NameAndEnd link={link} values={values} errors={errors} set={set} />
        <LinkScope accountId={accountId} values={values} errors={errors} set={set} />
        <Protection link={link} values={values} errors={errors} set={set} />
        <Choice label="What visitors can do" options={LINK_RIGHTS} value={values.rights} onChange={(rights) => set({ rights })} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {link === null ? 'Create link' : 'Save'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

interface PartProps {
  link: ShareLink | null
  values: LinkValues
  errors: Readonly<Record<string, string>>
  set: (patch: Partial<LinkValues>) => void
}

const NameAndEnd = ({ link, values, errors, set }: PartProps) => (
  <>
    <TextInput
      label="Name"
      description="Only you and your company see it, for example the recipient."
      required
      data-autofocus
      maxLength={LINK_LABEL_MAX_CHARACTERS}
      value={values.label}
      error={errors['label']}
      onChange={({ currentTarget }) => set({ label: currentTarget.value })}
    />
    <TextInput
      label="Days until it ends"
      inputMode="numeric"
      description={
        link !== null && link.expires_at.date !== null && !values.endless
          ? `Counted from today. Leave it empty to keep ${link.expires_at.human}.`
          : `Counted from today, at most ${LINK_MAX_DAYS}.`
      }
      disabled={values.endless}
      value={values.endless ? '' : values.days}
      error={errors['days']}
      onChange={({ currentTarget }) => set({ days: currentTarget.value })}
    />
    <Checkbox label="Does not end" checked={values.endless} onChange={({ currentTarget }) => set({ endless: currentTarget.checked })} />
  </>
)

const Protection = ({ link, values, errors, set }: PartProps) => (
  <>
    <Choice label="Who can open it" options={LINK_PROTECTIONS} value={values.protection} onChange={(protection) => set({ protection })} />
    {values.protection === 'password' && (
      <PasswordInput
        label="Password"
        autoComplete="new-password"
        description={
          link?.protection === 'password'
            ? 'Leave it empty to keep the password.'
            : 'Send it to the recipient separately, not in the same email as the link.'
        }
        visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
        value={values.password}
        error={errors['password']}
        onChange={({ currentTarget }) => set({ password: currentTarget.value })}
      />
    )}
    {values.protection === 'email_code' && (
      <TextInput
        label="Only for emails at"
        placeholder="example.com, example.org"
        description="Domains separated by commas. Leave it empty for any email."
        value={values.domains}
        error={errors['email_domains']}
        onChange={({ currentTarget }) => set({ domains: currentTarget.value })}
      />
    )}
  </>
)
