import { Button, Group, List, Modal, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { formatNumber } from '#contract/format.ts'
import { importCalls, type Import } from '#contract/imports.ts'
import { PAGE_SIZE_MAX } from '#contract/limits.ts'
import { api, apiFile } from '#web/data/client.ts'
import { isApiError, messageOf } from '#web/data/errors.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { saveBlob } from '#web/ui/download.ts'
import { ProgressLine } from '#web/ui/progress-line.tsx'
import { toast } from '#web/ui/toast.tsx'
import { ACTIVITY_LABELS, commitLabel, fieldLabel, leftOut } from './import-labels.ts'
import classes from './import-workbench.module.css'
import { importQueries } from './use-import.ts'
import type { Removals } from './use-removals.ts'

interface CommitBarProps {
  accountId: string
  data: Import
  removals: Removals
}

/** The last step, always visible: exactly what the import will do and what it leaves out. */
export function CommitBar({ accountId, data, removals }: CommitBarProps) {
  const { commit, cancel, downloadRejected, conflict, closeConflict } = useCommit(accountId, data, removals)
  const label = commitLabel(data.counts, removals.count)
  const skipped = leftOut(data.counts)
  const busy = commit.isPending || cancel.isPending || data.activity === 'committing'
  const ready = data.state === 'validated' && data.activity === null
  return (
    <div className={classes['commitBar']}>
      <div className={classes['commitText']}>
        {data.activity === null ? (
          <Text size="sm" c="dimmed">
            {skipped === '' ? 'No rows are left out.' : `Left out: ${skipped}.`}
          </Text>
        ) : (
          <ImportProgress activity={data.activity} progress={data.progress} />
        )}
      </div>
      {(data.counts.errors ?? 0) > 0 && (
        <Button variant="default" onClick={() => downloadRejected.mutate()}>
          Download rejected rows
        </Button>
      )}
      <Button variant="subtle" color="gray" disabled={busy} onClick={() => cancel.mutate()}>
        Cancel import
      </Button>
      <Button disabled={!ready || label === ''} loading={busy} onClick={() => commit.mutate()}>
        {label || 'Nothing to import'}
      </Button>
      {conflict && (
        <Modal opened onClose={closeConflict} title="The register has changed" size="lg">
          <Text>{conflict.message}</Text>
          {conflict.changes.length > 0 && (
            <List mt="sm" size="sm">
              {conflict.changes.map((change) => (
                <List.Item key={change}>{change}</List.Item>
              ))}
            </List>
          )}
          <Text mt="sm" c="dimmed">
            Nothing has been written. The rows are being checked again against the current register.
          </Text>
          <Group justify="flex-end" mt="lg">
            <Button onClick={closeConflict}>Review the changes</Button>
          </Group>
        </Modal>
      )}
    </div>
  )
}

function ImportProgress({
  activity,
  progress: { done, total },
}: {
  activity: NonNullable<Import['activity']>
  progress: Import['progress']
}) {
  return (
    <div role="status">
      <ProgressLine
        label={ACTIVITY_LABELS[activity]}
        percent={total === 0 ? 0 : (done / total) * 100}
        {...(total > 0 ? { detail: `${formatNumber(done)} of ${formatNumber(total)} rows` } : {})}
      />
    </div>
  )
}

function useCommit(accountId: string, data: Import, removals: Removals) {
  const client = useQueryClient()
  const params = { id: data.id }
  const [conflict, setConflict] = useState<{ message: string; changes: readonly string[] } | null>(null)
  const onSettled = () => {
    void client.invalidateQueries({ queryKey: ['import', data.id] })
    void client.invalidateQueries({ queryKey: ['import-rows', data.id] })
    void client.invalidateQueries({ queryKey: ['import-history', accountId] })
    invalidateAfterWrite('account_properties', null, accountId)
  }
  const commit = useMutation({
    mutationFn: async () =>
      (await api(importCalls.commit, { params, body: { version: data.version, removals: await removedIds(data, removals) } })).data,
    onSuccess: (committed) => client.setQueryData<Import>(importQueries.one(data.id).queryKey, committed),
    onError: (error) => {
      if (isApiError(error) && error.kind === 'conflict') setConflict({ message: error.message, changes: registerChanges(error.data) })
      else toast.alert(messageOf(error))
    },
    onSettled,
  })
  const cancel = useMutation({
    mutationFn: () => api(importCalls.cancel, { params }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.warning(messageOf(error)),
    onSettled,
  })
  const downloadRejected = useMutation({
    mutationFn: () => apiFile(importCalls.rejected, { params }),
    onSuccess: ({ blob, fileName }) => saveBlob(blob, fileName ?? `Rejected rows of ${data.file_name}.xlsx`),
    onError: (error) => toast.alert(messageOf(error)),
  })
  return { commit, cancel, downloadRejected, conflict, closeConflict: () => setConflict(null) }
}

/** The properties to mark divested: the checked ones of the tab. */
async function removedIds(data: Import, removals: Removals): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ids.length < removals.count; page += 1) {
    const { data: rows } = await api(importCalls.rows, { params: { id: data.id }, query: { tab: 'remove', page, paginate: PAGE_SIZE_MAX } })
    if (rows.length === 0) break
    ids.push(...rows.flatMap((row) => (row.property !== null && removals.isChecked(row) ? [row.property.id] : [])))
  }
  return ids
}

const ConflictData = z.object({ moved: z.array(z.object({ full_address: z.string(), fields: z.array(z.string()) })) })

/** What changed in the register since the preview, one line for each property, from the data of a 409. */
function registerChanges(data: unknown): string[] {
  const { data: conflict } = ConflictData.safeParse(data)
  return (conflict?.moved ?? []).map(({ full_address, fields }) =>
    fields.length === 0 ? full_address : `${full_address}: ${fields.map(fieldLabel).join(', ')}`,
  )
}
