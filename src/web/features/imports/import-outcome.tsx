import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatDateTime, formatNumber, plural } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import { IMPORT_STATE_LABELS } from '#contract/property-imports.ts'
import { useSession } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import { amountText, fileRows, fileSumLabel, notImported, statedTotal, unreadAmounts } from './import-labels.ts'
import { leftOut, leftOutValue, unmappedAmount, unmappedColumns, unmappedReason } from './left-out-labels.ts'
import classes from './import.page.module.css'
import { useUndo } from './use-undo.tsx'

/** What a finished import did. */
export function ImportOutcome({ data, onAgain }: { data: Import; onAgain: () => void }) {
  const zone = useSession().auth_user.company.timezone
  const undo = useUndo(data.account_id)
  const { add = 0, change = 0, unchanged = 0, remove = 0 } = data.counts
  const results = { Added: add, Changed: change, Unchanged: unchanged, 'Marked divested': remove }
  const isCommitted = data.state === 'committed'
  const skipped = leftOut(data)
  return (
    <Stack gap="md" maw={880}>
      <Title order={2}>{data.file_name}</Title>
      {data.state === 'failed' ? (
        <Notice kind="error" title="The file could not be imported">
          {data.failure ?? 'Choose the file again or another one.'}
        </Notice>
      ) : (
        <Text>
          {data.committed_at === null
            ? `${IMPORT_STATE_LABELS[data.state]}.`
            : `Imported on ${formatDateTime(data.committed_at, zone)} by ${data.created_by}.`}
        </Text>
      )}
      {data.state === 'undone' && <Text>{undoneText(data, zone)}</Text>}
      {isCommitted && (
        <>
          <Figures figures={Object.entries(results).map(([label, count]) => ({ label, value: formatNumber(count) }))} />
          {data.sums && <SumFigures data={data} sums={data.sums} />}
          {leftOutValue(data) !== '' && <Notice kind="warning">{leftOutValue(data)}.</Notice>}
          {unreadAmounts(data) !== '' && <Notice kind="warning">{unreadAmounts(data)}, so these values are missing.</Notice>}
          {unmappedColumns(data) !== '' && (
            <Notice kind="warning">
              {unmappedAmount(data)} in {unmappedColumns(data)}, {unmappedReason(data)}, was {notImported(data.unmapped_money)}.
            </Notice>
          )}
          {skipped !== '' && <Text c="dimmed">Not imported: {skipped}.</Text>}
        </>
      )}
      <Group>
        <Button component={Link} to={paths.accountTab(data.account_id, 'properties')} variant={isCommitted ? 'filled' : 'default'}>
          Open properties
        </Button>
        <Button variant={isCommitted ? 'default' : 'filled'} onClick={onAgain}>
          {isCommitted ? 'Import another file' : 'Choose another file'}
        </Button>
        {data.undoable && (
          <Button variant="subtle" color="gray" loading={undo.isPending} onClick={() => void undo.start(data)}>
            Undo import
          </Button>
        )}
      </Group>
    </Stack>
  )
}

/** Who undid the import when, and to how many properties; an earlier import has only its state. */
function undoneText({ undone }: Import, zone: string): string {
  if (undone === null) return 'Undone.'
  const { at, by, restored, trashed, unchanged } = undone
  const done = `Undone on ${formatDateTime(at, zone)} by ${by}: ${restored} restored, ${trashed} moved to the trash.`
  return unchanged === 0 ? done : `${done} Not undone: ${plural(unchanged, 'property', 'properties')} edited since the import.`
}

interface Figure {
  label: string
  /** What the label leaves out. */
  details?: string
  value: string
  note?: string
  color?: string
}

/** Large figures in a row, each with its label. */
function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={classes['figures']}>
      {figures.map(({ label, details = '', value, note, color = 'dimmed' }) => (
        <div key={label}>
          <dt title={details || undefined}>{label}</dt>
          <dd>
            {value}
            {note !== undefined && (
              <Text size="xs" c={color}>
                {note}
              </Text>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Total insured values: in the file, in the register before and after, and in the totals row or total column of the file. */
function SumFigures({ data, sums }: { data: Import; sums: NonNullable<Import['sums']> }) {
  const { file, before, after } = sums
  const figureOf = (label: string, sum: typeof file) => ({ label, value: amountText(sum), note: plural(sum.rows, 'location') })
  const inFile = { ...figureOf(fileSumLabel(data), file), note: fileRows(sums) }
  const figures: Figure[] = [inFile, figureOf('Register before', before), figureOf('Register after', after)]
  const stated = statedTotal(data)
  if (stated !== null) {
    const { amount, source, only, names, agrees, isWhole, note } = stated
    const label = only === '' ? source : `Totals row: ${only}`
    figures.push({
      label,
      details: names,
      value: amount,
      note: agrees ? note : `Warning: ${note}`,
      color: agrees && isWhole ? 'var(--good)' : 'var(--warning)',
    })
  }
  return <Figures figures={figures} />
}
