import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { BodyIn } from '#contract/route.ts'
import { api } from '#web/data/client.ts'
import { messageOf } from '#web/data/errors.ts'
import { toast } from '#web/ui/toast.tsx'
import { importCalls, type Import } from '#contract/imports.ts'
import { importQueries } from './import-queries.ts'

export type Patch = BodyIn<(typeof importCalls)['update']>

/** The import of this screen; its rows are read anew whenever the server has worked on it. */
export function useImport(id: string) {
  const client = useQueryClient()
  const query = useQuery(importQueries.one(id))
  const stamp = query.data === undefined ? null : `${query.data.version} ${query.data.activity ?? ''} ${query.data.state}`
  useEffect(() => {
    if (stamp !== null) void client.invalidateQueries({ queryKey: ['import-rows', id] })
  }, [client, id, stamp])
  return query
}

/** Changes the import; a failure is told and what the server holds is shown again. */
export function useImportPatch(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (patch: Patch) => (await api(importCalls.update, { params: { id }, body: patch })).data,
    onSuccess: (data) => client.setQueryData<Import>(importQueries.one(id).queryKey, data),
    onError: (error) => {
      toast.alert(messageOf(error))
      void client.invalidateQueries({ queryKey: ['import', id] })
      void client.invalidateQueries({ queryKey: ['import-rows', id] })
    },
  })
}
