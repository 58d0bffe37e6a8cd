import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PAGE_SIZE_MAX } from '#contract/limits.ts'
import { api, apiFile } from '#web/data/client.ts'
import { isApiError, messageOf } from '#web/data/errors.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { toast } from '#web/ui/toast.tsx'
import { importCalls, type Import } from '#contract/imports.ts'
import { importQueries } from './import-queries.ts'
import { movedLines } from './moved-lines.ts'
import { saveBlob } from '#web/ui/download.ts'
import type { Ticks } from './use-ticks.ts'

/** The commit and its neighbours: cancel and the download of rejected rows. */
export function useCommit(accountId: string, data: Import, ticks: Ticks) {
  const client = useQueryClient()
  const [moved, setMoved] = useState<{ message: string; lines: readonly string[] } | null>(null)
  const refresh = () => {
    void client.invalidateQueries({ queryKey: ['import', data.id] })
    void client.invalidateQueries({ queryKey: ['import-rows', data.id] })
    void client.invalidateQueries({ queryKey: ['import-history', accountId] })
    invalidateAfterWrite('account_properties', null, accountId)
  }
  const commit = useMutation({
    mutationFn: async () =>
      (await api(importCalls.commit, { params: { id: data.id }, body: { version: data.version, removals: await removals(data, ticks) } }))
        .data,
    onSuccess: (fresh) => client.setQueryData<Import>(importQueries.one(data.id).queryKey, fresh),
    onError: (error) => {
      if (isApiError(error) && error.kind === 'conflict') setMoved({ message: error.message, lines: movedLines(error.data) })
      else toast.alert(messageOf(error))
    },
    onSettled: refresh,
  })
  const cancel = useMutation({
    mutationFn: () => api(importCalls.cancel, { params: { id: data.id } }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.warning(messageOf(error)),
    onSettled: refresh,
  })
  const rejected = useMutation({
    mutationFn: () => apiFile(importCalls.rejected, { params: { id: data.id } }),
    onSuccess: ({ blob, fileName }) => saveBlob(blob, fileName ?? `Rejected rows of ${data.file_name}.xlsx`),
    onError: (error) => toast.alert(messageOf(error)),
  })
  return {
    isPending: commit.isPending || cancel.isPending,
    moved,
    start: () => commit.mutate(),
    cancel: () => cancel.mutate(),
    downloadRejected: () => rejected.mutate(),
    review: () => setMoved(null),
  }
}

/** The properties to mark divested: those of the tab that are ticked. */
async function removals(data: Import, ticks: Ticks): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ids.length < ticks.count; page += 1) {
    const { data: rows } = await api(importCalls.rows, { params: { id: data.id }, query: { tab: 'remove', page, paginate: PAGE_SIZE_MAX } })
    if (rows.length === 0) break
    ids.push(...rows.flatMap((row) => (row.property !== null && ticks.isTicked(row) ? [row.property.id] : [])))
  }
  return ids
}
