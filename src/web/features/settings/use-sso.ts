import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { secretProblem, ssoCalls, type SsoProvider, type SsoSettings } from '#contract/sso.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError } from '#web/data/errors.ts'
import { queries } from '#web/data/queries.ts'
import { useSession } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { issueMessages } from '#web/engines/form/form-values.ts'
import { useUnsavedChanges } from '#web/engines/panel/route-panel.tsx'
import { showError } from '#web/engines/show-error.ts'
import { toast } from '#web/ui/toast.tsx'

/** What the fields contain. */
export interface SsoValues {
  issuer: string
  client_id: string
  client_secret: string
  domains: string
  enabled: boolean
  only: boolean
  emergency_user_id: string
}

/** `own` is the user of this page, if they can be the emergency administrator. */
const valuesOf = (provider: SsoProvider | null, own = ''): SsoValues => ({
  issuer: provider?.issuer ?? '',
  client_id: provider?.client_id ?? '',
  client_secret: '',
  domains: provider?.domains.join(', ') ?? '',
  enabled: provider?.enabled ?? true,
  only: provider?.password_allowed === false,
  emergency_user_id: provider?.emergency_user_id ?? own,
})

const domainsIn = (text: string): string[] => text.split(/[\s,;]+/).filter((domain) => domain !== '')

const bodyOf = ({ only, domains, emergency_user_id: administrator, ...values }: SsoValues, provider: SsoProvider | null) => ({
  ...values,
  domains: domainsIn(domains),
  password_allowed: !only,
  emergency_user_id: only && administrator !== '' ? administrator : null,
  version: provider?.version ?? null,
})

/** Errors of single domains are shown below the field with all of them. */
function byField(errors: Readonly<Record<string, string>>, domains: readonly string[]): Record<string, string> {
  const placed = Object.entries(errors).map(([path, message]) => {
    const [field = path, index] = path.split('.')
    return [field, index === undefined ? message : `${domains[Number(index)] ?? ''}: ${message}`] as const
  })
  return Object.fromEntries(placed.toReversed())
}

/** The fields with the changes of the user, and the errors below them. */
function useFields(stored: SsoValues, provider: SsoProvider | null) {
  const [edits, setEdits] = useState<Partial<SsoValues>>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const values = { ...stored, ...edits }
  const change = (patch: Partial<SsoValues>) => {
    setEdits({ ...edits, ...patch })
    setErrors(Object.fromEntries(Object.entries(errors).filter(([field]) => !(field in patch))))
  }
  const reset = () => {
    setEdits({})
    setErrors({})
  }
  /** Shows the errors at their fields. Returns whether there were any for them. */
  const showErrors = (found: Readonly<Record<string, string>>): boolean => {
    const placed = byField(found, domainsIn(values.domains))
    setErrors(placed)
    return Object.keys(placed).some((name) => name in values)
  }
  const check = (): boolean => {
    const body = bodyOf(values, provider)
    const missing = secretProblem({ ...body, issuer: body.issuer.trim() }, provider?.issuer)
    return !showErrors({ ...(missing === undefined ? {} : { client_secret: missing }), ...issueMessages(ssoCalls.save.body, body) })
  }
  return { values, errors, dirty: JSON.stringify(values) !== JSON.stringify(stored), change, reset, showErrors, check }
}

/** The form and what can be done with it. After a save of another user, it shows their settings with this user's changes. */
export function useSso(companyId: string, { provider, administrators, redirect_uri }: SsoSettings) {
  const client = useQueryClient()
  const own = useSession().auth_user.id
  const stored = valuesOf(provider, administrators.find(({ id }) => id === own)?.id)
  const { reset, showErrors, check, ...fields } = useFields(stored, provider)
  const [isStale, setIsStale] = useState(false)
  const [saving, setSaving] = useState(false)
  const release = useUnsavedChanges(fields.dirty, saving)
  const { queryKey } = queries.sso(companyId)
  const params = { id: companyId }
  const discard = () => {
    reset()
    setIsStale(false)
  }
  const finish = (settings: SsoSettings, message: string) => {
    release()
    discard()
    client.setQueryData(queryKey, settings)
    invalidateAfterWrite('companies', companyId)
    toast.success(message)
  }
  const save = async (current_password: string) => {
    setSaving(true)
    try {
      const { data, message } = await api(ssoCalls.save, { params, body: { ...bodyOf(fields.values, provider), current_password } })
      finish(data, message)
    } catch (error) {
      if (isApiError(error) && error.kind === 'conflict') {
        setIsStale(true)
        return await client.invalidateQueries({ queryKey })
      }
      // The dialog shows that of the password.
      if (!isApiError(error) || 'current_password' in error.fields || !showErrors(firstMessages(error))) throw error
    } finally {
      setSaving(false)
    }
  }
  const remove = async (current_password: string) => {
    const { message } = await api(ssoCalls.remove, { params, body: { current_password } })
    finish({ provider: null, administrators, redirect_uri }, message)
  }
  const testing = useMutation({
    mutationFn: () => api(ssoCalls.test, { params }),
    onSuccess: ({ data }) => client.setQueryData(queryKey, data),
    onError: (error) => showError(error),
  })
  return { ...fields, check, isStale, discard, save, remove, test: () => testing.mutate(), testing: testing.isPending }
}
export type Sso = ReturnType<typeof useSso>
