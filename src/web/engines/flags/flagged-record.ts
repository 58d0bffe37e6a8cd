import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { flagCalls, type Flag, type FlaggableType } from '#contract/flags.ts'
import type { BodyIn } from '#contract/route.ts'
import { api } from '#web/data/client.ts'
import { isApiError } from '#web/data/errors.ts'
import { queries } from '#web/data/queries.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { paths } from '#web/paths.ts'
import { toast } from '#web/ui/toast.tsx'
import { showError } from '../show-error.ts'

export interface FlaggedRecord {
  account_id: string
  type: FlaggableType
  id: string
}

/** The panel of the flagged record in its account. */
export function flaggedRecordPath({ account_id, property_id, flaggable_type, flaggable_id }: Flag): string {
  if (flaggable_type === 'account_file') return paths.file(account_id, flaggable_id)
  if (flaggable_type === 'account_property' || property_id === null) return paths.property(account_id, flaggable_id)
  return paths.report(account_id, property_id, flaggable_id)
}

/** Users who can be assigned flags on the record, as choices with their company, and the present assignee, also if they are no longer one of them. */
export function useAssignees({ account_id, type, id: record }: FlaggedRecord, present: Flag['assigned_to'] = null): Choice[] {
  const { data = [] } = useQuery(queries.flagAssignees(account_id, type, record))
  const offered = data.map(({ id, full_name, company }) => ({ value: id, label: `${full_name}, ${company}` }))
  if (present === null || offered.some(({ value }) => value === present.id)) return offered
  return [...offered, { value: present.id, label: present.full_name }]
}

interface Choice {
  value: string
  label: string
}

/** The text field of a form that takes the place of the button that opened it, and the focus. */
export function useFirstField() {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  return field
}

type Update = BodyIn<typeof flagCalls.update>

const isClosing = ({ status }: Update): boolean => status === 'resolved' || status === 'dismissed'

/** Saves a change of the version that is shown. A flag that it closes can be opened again from the toast, as it was before. */
export function useFlagUpdate({ id, version, account_id, status: before }: Flag) {
  const save = (body: Update) => api(flagCalls.update, { params: { id }, body })
  const common = {
    onError: (error: unknown) => {
      if (!isApiError(error) || error.kind !== 'invalid') showError(error)
    },
    // A conflict, too, is a reason to load the flag again.
    onSettled: () => invalidateAfterWrite('flags', id, account_id),
  }
  const reopen = useMutation({
    mutationFn: async (closed: number) => {
      const { data, message } = await save({ status: 'open', version: closed })
      if (before === 'acknowledged') await save({ status: before, version: data.version })
      return message
    },
    onSuccess: (message) => toast.success(message),
    ...common,
  })
  return useMutation({
    mutationFn: (body: Update) => save({ ...body, version }),
    onSuccess: ({ message, data }, sent) => {
      const undo = { action: { label: 'Undo', onClick: () => reopen.mutate(data.version) } }
      toast.success(message, isClosing(sent) ? undo : {})
    },
    ...common,
  })
}
