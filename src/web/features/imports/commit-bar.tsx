import { Button, Group, List, Modal, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { formatNumber, plural } from '#contract/format.ts'
import { importCalls, type Import } from '#contract/imports.ts'
import { api, apiFile } from '#web/data/client.ts'
import { isApiError, type ApiError } from '#web/data/errors.ts'
import { queryClient } from '#web/data/query-client.ts'
import { showError } from '#web/engines/show-error.ts'
import { saveBlob } from '#web/ui/download.ts'
import { ProgressLine } from '#web/ui/progress-line.tsx'
import { toast } from '#web/ui/toast.tsx'
import { ACTIVITY_LABELS, commitLabel, fieldLabel, leftOut, leftOutValue } from './import-labels.ts'
import classes from './import-workbench.module.css'
import { importQueries, invalidateAfterImport, useOpenImport } from './use-import.ts'

/** The last step, always visible: exactly what the import will do and what it leaves out. */
export function CommitBar() {
  const { data, removals } = useOpenImport()
  const { commit, cancel, downloadRejected } = useCommit()
  const label = commitLabel(data.counts, removals.count)
  const skipped = leftOut(data.counts)
  const busy = commit.isPending || cancel.isPending || data.activity === 'committing'
  const { done, total } = data.progress
  const detail = total > 0 ? { detail: `${formatNumber(done)} of ${formatNumber(total)} rows` } : {}
  const [question] = data.questions
  const ready = data.state === 'validated' && data.activity === null && question === undefined
  return (
    <div className={classes['commitBar']}>
      <div className={classes['commitText']}>
        {data.activity === null && question !== undefined && (
          <Text size="sm" fw={600} c="var(--warning)" role="status">
            {plural(data.questions.length, 'question')} to answer before the import: {question.message}
          </Text>
        )}
        {data.activity === null && leftOutValue(data) !== '' && (
          <Text size="sm" fw={600} c="var(--warning)">
            {leftOutValue(data)}
          </Text>
        )}
        {data.state === 'validated' && data.activity === null && (
          <Text size="sm" c="dimmed">
            {skipped === '' ? 'No rows are left out.' : `Left out: ${skipped}.`}
          </Text>
        )}
        {data.activity !== null && (
          <div role="status">
            <ProgressLine label={ACTIVITY_LABELS[data.activity]} percent={total === 0 ? 0 : (done / total) * 100} {...detail} />
          </div>
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
        {label || (data.state === 'validated' ? 'Nothing to import' : 'Import')}
      </Button>
      {isApiError(commit.error) && movedIn(commit.error) && <ConflictDialog error={commit.error} onClose={commit.reset} />}
    </div>
  )
}

function useCommit() {
  const { data, removals } = useOpenImport()
  const params = { id: data.id }
  const onSettled = () => invalidateAfterImport(data.account_id)
  const commit = useMutation({
    mutationFn: async () => (await api(importCalls.commit, { params, body: { version: data.version, removals: removals.choice } })).data,
    onSuccess: (committed) => queryClient.setQueryData<Import>(importQueries.one(data.id).queryKey, committed),
    onError: (error) => movedIn(error) !== undefined || showError(error, true),
    onSettled,
  })
  const cancel = useMutation({
    mutationFn: () => api(importCalls.cancel, { params }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => showError(error),
    onSettled,
  })
  const downloadRejected = useMutation({
    mutationFn: () => apiFile(importCalls.rejected, { params }),
    onSuccess: ({ blob, fileName }) => saveBlob(blob, fileName ?? `Rejected rows of ${data.file_name}.xlsx`),
    onError: (error) => showError(error, true),
  })
  return { commit, cancel, downloadRejected }
}

const ConflictData = z.object({ moved: z.array(z.object({ full_address: z.string(), fields: z.array(z.string()) })) })

/** The properties that changed in the register since the preview; undefined for any other error. */
const movedIn = (error: unknown) =>
  isApiError(error) && error.kind === 'conflict' ? ConflictData.safeParse(error.data).data?.moved : undefined

/** Lists the properties that changed in the register since the preview. */
function ConflictDialog({ error, onClose }: { error: ApiError; onClose: () => void }) {
  const moved = movedIn(error) ?? []
  return (
    <Modal opened onClose={onClose} title="The register has changed" size="lg">
      <Text>{error.message}</Text>
      {moved.length > 0 && (
        <List mt="sm" size="sm">
          {moved.map(({ full_address, fields }) => (
            <List.Item key={full_address}>{[full_address, fields.map(fieldLabel).join(', ')].filter(Boolean).join(': ')}</List.Item>
          ))}
        </List>
      )}
      <Text mt="sm" c="dimmed">
        Nothing has been written. The rows are being checked again against the current register.
      </Text>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose}>Review the changes</Button>
      </Group>
    </Modal>
  )
}
