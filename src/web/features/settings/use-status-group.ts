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

interface Row {
  key: string
  /** Undefined for a new row. */
  status: CompanyStatus | undefined
  /** Another user has deleted the status while it was edited here. */
  lost: boolean
}

/** Deleted statuses with edits in their former place, and new rows at the end. */
function rowsOf(saved: readonly Row[], edited: ReadonlyMap<string, CompanyStatus>, added: readonly NewRow[]): readonly Row[] {
  const present = new Set(saved.map(({ key }) => key))
  const lost = [...edited].filter(([key]) => !present.has(key))
  return [
    ...lost.reduce<readonly Row[]>((rows, [key, status]) => rows.toSpliced(status.position, 0, { key, status, lost: true }), saved),
    ...added.map(({ key }) => ({ key, status: undefined, lost: false })),
  ]
}

/** The statuses with changes that are not saved, by the key of their row. */
function useEditedStatuses() {
  const [edited, setEdited] = useState<ReadonlyMap<string, CompanyStatus>>(new Map())
  const setIsEdited = (key: string, status: CompanyStatus, isEdited: boolean) =>
    setEdited((now) => {
      if (isEdited) return new Map(now).set(key, status)
      return now.has(key) ? new Map([...now].filter(([other]) => other !== key)) : now
    })
  return { edited, setIsEdited }
}

/** The rows of one group, saved and new, and what can be done with them. */
export function useStatusGroup(group: StatusGroup, statuses: readonly CompanyStatus[]) {
  const client = useQueryClient()
  const { queryKey } = queries.statuses()
  const [unsaved, setUnsaved] = useState<readonly NewRow[]>([])
  const [added, setAdded] = useState(0)
  /** By id, the keys of rows that were new: they remain the same elements, so that they keep the focus. */
  const [keys, setKeys] = useState<Readonly<Record<string, string>>>({})
  const { edited, setIsEdited } = useEditedStatuses()
  const keyOf = ({ id }: CompanyStatus) => keys[id] ?? id
  // A new row is shown until its status is in the list, which is some time after its first save.
  const waiting = unsaved.filter(({ id }) => statuses.every((status) => status.id !== id))
  if (waiting.length < unsaved.length) setUnsaved(waiting)

  const rows = rowsOf(
    statuses.map((status) => ({ key: keyOf(status), status, lost: false })),
    edited,
    waiting,
  )

  const saved = (key: string, status: CompanyStatus) => {
    setIsEdited(key, status, false)
    setKeys((now) => ({ ...now, [status.id]: key }))
    setUnsaved((now) => now.map((row) => (row.key === key ? { key, id: status.id } : row)))
    client.setQueryData(queryKey, (all) => all && place(all, status))
    invalidateAfterWrite('accounts', null)
  }
  const removed = (key: string, status: CompanyStatus | undefined) => {
    setUnsaved((now) => now.filter((row) => row.key !== key))
    if (status === undefined) return
    setIsEdited(key, status, false)
    client.setQueryData(queryKey, (all) => all?.filter((one) => one.id !== status.id))
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
    // Rows that another user has deleted have no place on the server.
    const position = rows
      .toSpliced(from, 1)
      .slice(0, to)
      .filter((row) => !row.lost).length
    const order = arrayMove([...statuses], statuses.indexOf(status), position)
    client.setQueryData(queryKey, (all) => all && [...all.filter(({ model_type }) => model_type !== group), ...order])
    moving.mutate({ id: status.id, position })
  }
  const add = () => {
    setUnsaved([...unsaved, { key: `new ${group} ${String(added)}` }])
    setAdded(added + 1)
  }
  const nameOf = (key: string) => statuses.find((status) => keyOf(status) === key)?.name ?? ''
  return { rows, add, move, saved, removed, setIsEdited, nameOf }
}
