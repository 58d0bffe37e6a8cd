import { arrayMove } from '@dnd-kit/sortable'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { statusCalls, type CompanyStatus, type StatusGroup } from '#contract/statuses.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { showError } from '#web/engines/show-error.ts'

/** The key of the mutations of statuses, by which the page shows that one is being saved. */
export const STATUS_CHANGES = ['statuses', 'save'] as const

interface NewRow {
  key: string
  /** After the first save. */
  id?: string
}

const place = (statuses: readonly CompanyStatus[], changed: CompanyStatus) =>
  statuses.some(({ id }) => id === changed.id) ? statuses.map((one) => (one.id === changed.id ? changed : one)) : [...statuses, changed]

/** The rows of one group, saved and new, and what can be done with them. */
export function useStatusGroup(group: StatusGroup, statuses: readonly CompanyStatus[]) {
  const client = useQueryClient()
  const { queryKey } = queries.statuses()
  const [unsaved, setUnsaved] = useState<readonly NewRow[]>([])
  const [added, setAdded] = useState(0)
  /** By id, the keys of rows that were new: they remain the same elements, so that they keep the focus. */
  const [keys, setKeys] = useState<Readonly<Record<string, string>>>({})
  const keyOf = ({ id }: CompanyStatus) => keys[id] ?? id
  // A new row is shown until its status is in the list, which is some time after its first save.
  const waiting = unsaved.filter(({ id }) => statuses.every((status) => status.id !== id))
  if (waiting.length < unsaved.length) setUnsaved(waiting)

  const saved = (key: string, status: CompanyStatus) => {
    setKeys((now) => ({ ...now, [status.id]: key }))
    setUnsaved((now) => now.map((row) => (row.key === key ? { key, id: status.id } : row)))
    client.setQueryData(queryKey, (all) => all && place(all, status))
    invalidateAfterWrite('accounts', null)
  }
  const removed = (key: string, id: string | undefined) => {
    setUnsaved((now) => now.filter((row) => row.key !== key))
    if (id === undefined) return
    client.setQueryData(queryKey, (all) => all?.filter((one) => one.id !== id))
    invalidateAfterWrite('accounts', null)
  }
  const moving = useMutation({
    mutationKey: STATUS_CHANGES,
    mutationFn: ({ id, position }: { id: string; position: number }) => api(statusCalls.update, { params: { id }, body: { position } }),
    onError: (error) => showError(error),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  const move = (key: string, from: number, to: number) => {
    const status = statuses.find((one) => keyOf(one) === key)
    if (status === undefined || to >= statuses.length) return
    const order = arrayMove([...statuses], from, to)
    client.setQueryData(queryKey, (all) => all && [...all.filter(({ model_type }) => model_type !== group), ...order])
    moving.mutate({ id: status.id, position: to })
  }
  const add = () => {
    setUnsaved([...unsaved, { key: `new ${group} ${String(added)}` }])
    setAdded(added + 1)
  }
  const nameOf = (key: string) => statuses.find((status) => keyOf(status) === key)?.name ?? ''
  const rows = [...statuses.map((status) => ({ key: keyOf(status), status })), ...waiting.map(({ key }) => ({ key, status: undefined }))]
  return { rows, add, move, saved, removed, nameOf }
}
