import { Button, Group, List, Modal, Text } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { formatNumber, formatProgress, plural } from '#contract/format.ts'
import { importCalls } from '#contract/import-calls.ts'
import { columnsToConfirm, type Import } from '#contract/imports.ts'
import { api } from '#web/data/client.ts'
import { isApiError, type ApiError } from '#web/data/errors.ts'
import { queryClient } from '#web/data/query-client.ts'
import { ACTIVITY_LABELS, progressLabel } from '#web/engines/account/import-progress.ts'
import { showError } from '#web/engines/show-error.ts'
import { confirmDialog } from '#web/ui/confirm.tsx'
import classes from './commit-bar.module.css'
import { commitLabel, fieldLabel, lessTiv, removalsText, valueText } from './import-labels.ts'
import { Sums } from './import-sums.tsx'
import { importQueries, invalidateAfterImport, useOpenImport } from './use-import.ts'

/** The last step, always visible: the sums as an equation, and exactly what the import will do. */
export function CommitBar({ onWaiting }: { onWaiting: () => void }) {
  const { data, removals, isSaving } = useOpenImport()
  const commit = useCommit()
  const label = commitLabel(data.counts, removals.count, data.open.columns)
  const confirmCommit = useConfirmRemovals(label)
  const start = async () => (await confirmCommit()) && commit.mutate()
  const busy = commit.isPending || data.activity === 'committing'
  const isChecked = data.state === 'validated' && data.activity === null && !isSaving
  const ready = isChecked && !data.register_changed && data.questions.length === 0 && data.currency_conflict === null && label !== ''
  useHotkeys([['mod+Enter', () => ready && !busy && void start()]], [])
  return (
    <div className={classes['bar']}>
      {data.activity !== null && <div className={classes['progress']} style={{ width: `${percentOf(data)}%` }} aria-hidden />}
      <Sums data={data} />
      <div className={classes['commit']}>
        <Button
          className={classes['button'] ?? ''}
          disabled={!ready}
          loading={busy}
          leftSection={data.questions.length > 0 && <IconLock size={16} aria-hidden />}
          onClick={() => void start()}
        >
          {label || (data.state === 'validated' ? 'Nothing to import' : 'Import')}
        </Button>
        <CommitNote data={data} onWaiting={onWaiting} />
      </div>
      {isApiError(commit.error) && movedIn(commit.error) && <ConflictDialog error={commit.error} onClose={commit.reset} />}
    </div>
  )
}

const percentOf = ({ progress: { done, total } }: Import) => (total === 0 ? 0 : formatProgress((done / total) * 100))

/** Why the commit waits, or the register after it. */
function CommitNote({ data, onWaiting }: { data: Import; onWaiting: () => void }) {
  const { isSaving, removals, patch } = useOpenImport()
  const { activity, state, questions, sums, counts } = data
  const { done, total } = data.progress
  if (isSaving) {
    return (
      <p className={classes['note']} role="status">
        Saving your change
      </p>
    )
  }
  if (activity !== null) {
    const detail = total === 0 ? '' : `: ${formatNumber(done)} of ${formatNumber(total)} rows, ${percentOf(data)} %`
    return (
      <p className={classes['note']} role="status">
        {ACTIVITY_LABELS[activity]}
        {detail}
      </p>
    )
  }
  if (questions.length > 0) {
    return (
      <p className={classes['note']} role="status">
        Waits for{' '}
        <button type="button" className={classes['link']} onClick={onWaiting}>
          {plural(questions.length, 'answer')}
        </button>
      </p>
    )
  }
  if (data.register_changed) {
    return (
      <p className={classes['note']} role="status">
        The register has changed since the rows were checked.{' '}
        <button type="button" className={classes['link']} onClick={() => patch({ mode: data.mode })}>
          Check again
        </button>
      </p>
    )
  }
  if (data.currency_conflict !== null) {
    return (
      <p className={classes['note']} role="status">
        Cannot be imported: rows in another currency than the account
      </p>
    )
  }
  if (state !== 'validated' || sums === null) return <p className={classes['note']}>{progressLabel(data)}</p>
  const { count, staying } = removals
  const after = { ...sums.after, rows: sums.after.rows + staying.rows, tiv: lessTiv(sums.after.tiv, -staying.tiv) }
  const isComplete = (counts.unchanged ?? 0) > 0 && commitLabel(counts, 0) === '' && (counts.errors ?? 0) + (counts.conflict ?? 0) === 0
  return (
    <>
      <p className={classes['note']}>
        {isComplete ? 'Every row is already in the register' : `Register afterwards: ${propertiesText(after)}`}
      </p>
      {count > 0 && <p className={classes['leaving']}>Leaves the register: {removalsText(data, removals)}</p>}
    </>
  )
}

const propertiesText = (sum: NonNullable<Import['sums']>['after']) => `${plural(sum.rows, 'property', 'properties')}, ${valueText(sum)}`

/** Asks before properties are marked divested, as the list of properties does. */
function useConfirmRemovals(label: string) {
  const { data, removals } = useOpenImport()
  return async () =>
    removals.count === 0 ||
    confirmDialog({
      title: `Mark ${plural(removals.count, 'property', 'properties')} divested?`,
      message: (
        <>
          <Text fw={600}>{removalsText(data, removals)}</Text>
          They will no longer be part of the active properties, totals and map. The date of divestment is the day of the import
          {data.sold_sheets.some(({ used }) => used) ? ', or the date in the sheet of sold locations' : ''}. You can undo the import.
        </>
      ),
      confirm: label,
    })
}

/** Writes the preview to the register. */
function useCommit() {
  const { data, removals } = useOpenImport()
  const params = { id: data.id }
  const body = { version: data.version, removals: removals.choice, confirmed: columnsToConfirm(data) }
  return useMutation({
    mutationFn: async () => (await api(importCalls.commit, { params, body })).data,
    onSuccess: (committed) => queryClient.setQueryData<Import>(importQueries.one(data.id).queryKey, committed),
    onError: (error) => {
      removals.forget(goneIn(error))
      if (movedIn(error) === undefined) showError(error, true)
    },
    onSettled: () => invalidateAfterImport(data.account_id),
  })
}

const ConflictData = z.object({ moved: z.array(z.object({ full_address: z.string(), fields: z.array(z.string()) })) })

/** The properties that changed in the register since the preview; undefined for any other error. */
const movedIn = (error: unknown) =>
  isApiError(error) && error.kind === 'conflict' ? ConflictData.safeParse(error.data).data?.moved : undefined

const GoneData = z.object({ gone: z.array(z.string()) })

/** The removals of properties that are no longer in the account. */
const goneIn = (error: unknown): string[] => (isApiError(error) ? (GoneData.safeParse(error.data).data?.gone ?? []) : [])

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
