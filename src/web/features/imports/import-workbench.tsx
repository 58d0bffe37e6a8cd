import { Button, Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatDateTime, formatMoney, formatNumber, sentenceCase } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import { useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import { CellBar } from './cell-bar.tsx'
import { CommitBar } from './commit-bar.tsx'
import { STATE_LABELS, isFinished, leftOut, leftOutValue } from './import-labels.ts'
import { ImportSidePanel } from './import-side-panel.tsx'
import classes from './import-workbench.module.css'
import { Figures, Preview, PreviewSums } from './preview.tsx'
import { SheetGrid } from './sheet-grid.tsx'
import type { SheetSelection } from './sheet-selection.ts'
import { IMPORT_VIEWS, ImportContext, useImport, useImportAddress, useImportContext } from './use-import.ts'

/** All steps after choosing the file, on one screen; for a finished import its outcome. */
export function ImportWorkbench({ importId }: { importId: string }) {
  const query = useImport(importId)
  const { go } = useImportAddress()
  const startOver = () => go({ import: undefined })
  const otherFile = (
    <Button variant="subtle" onClick={startOver}>
      Choose another file
    </Button>
  )
  return (
    <Loaded query={query} skeleton={<Skeleton height={560} aria-label="Loading the import" />} action={otherFile}>
      {(data) =>
        isFinished(data) && data.activity === null ? <ImportOutcome data={data} onAgain={startOver} /> : <UnfinishedImport data={data} />
      }
    </Loaded>
  )
}

function UnfinishedImport({ data }: { data: Import }) {
  return (
    <ImportContext value={useImportContext(data)}>
      <Workbench data={data} />
    </ImportContext>
  )
}

/** Sheet or preview in the middle, settings and issues next to it, the commit below. */
function Workbench({ data }: { data: Import }) {
  const { view, go } = useImportAddress()
  const [selected, setSelected] = useState<SheetSelection | null>(null)
  const show = (selection: SheetSelection) => {
    go({ view: 'sheet' })
    setSelected(selection)
  }
  return (
    <div className={classes['workbench']}>
      <header className={classes['header']}>
        <Title order={2} className={classes['title']} title={data.file_name}>
          {data.file_name}
        </Title>
        <ImportSteps data={data} />
        <SegmentedControl
          value={view}
          onChange={(next) => go({ view: next })}
          data={IMPORT_VIEWS.map((value) => ({ value, label: sentenceCase(value) }))}
        />
      </header>
      <ImportNotices data={data} />
      <div className={classes['body']}>
        <div className={classes['main']}>
          {view === 'sheet' ? (
            <>
              <CellBar selected={selected} />
              <div className={classes['sheet']}>
                {data.sheet_rows > 0 ? (
                  <SheetGrid selected={selected} onSelect={setSelected} />
                ) : (
                  <Skeleton height="100%" animate={data.activity !== null} />
                )}
              </div>
            </>
          ) : (
            <Preview onShowRow={(row) => show({ row: row - 1, column: null })} />
          )}
        </div>
        <ImportSidePanel onSelect={show} />
      </div>
      <CommitBar />
    </div>
  )
}

const STEPS = ['File', 'Sheet', 'Columns', 'Rows', 'Import'] as const

/** The steps of the import. The current one is the first that needs attention. */
function ImportSteps({ data }: { data: Import }) {
  const done = stepsDone(data)
  return (
    <ol className={classes['steps']} aria-label="Steps of the import">
      {STEPS.map((step, index) => (
        <li key={step} className={classes['step']} data-done={index < done || undefined} aria-current={index === done ? 'step' : undefined}>
          <span className={classes['stepNumber']}>{index < done ? <IconCheck size={12} stroke={3} aria-label="Done:" /> : index + 1}</span>
          {step}
        </li>
      ))}
    </ol>
  )
}

function stepsDone({ state, header_row, columns, issues }: Import): number {
  if (state === 'uploaded' || header_row === null) return 1
  if (columns.some((column) => column.state === 'confirm')) return 2
  return state !== 'validated' || issues.some(({ severity }) => severity === 'error') ? 3 : 4
}

/** What a user should read before single rows: a repeated file, a missing header, remarks on sheets. */
function ImportNotices({ data }: { data: Import }) {
  return (
    <>
      {data.repeats && (
        <Notice kind="warning">
          This file was imported before, as “{data.repeats.file_name}”. Importing it again does not change values that are already up to
          date.
        </Notice>
      )}
      {data.state === 'validated' &&
        data.unmapped_money.map(({ letter, header, total }) => (
          <Notice key={letter} kind="warning" title={`Column ${letter}, “${header}”, is not mapped`}>
            Its amounts, {formatMoney(total, data.sums?.file.currency ?? 'USD')} in total, will not be imported. Choose a field above the
            column, or “Ignore this column”.
          </Notice>
        ))}
      {data.failure !== null && <Notice kind="warning">{data.failure}</Notice>}
      {data.state === 'validated' && data.activity === null && data.header_row === null && (
        <Notice kind="warning">
          No header row was found. Select the row that names the columns and “Use as header row”, or choose a field above each column.
        </Notice>
      )}
      {data.sheets.map(
        ({ index, name, note, taken }) =>
          note !== null && (
            <Notice key={index} kind={taken ? 'warning' : 'info'}>
              {taken ? `Sheet “${name}”: ` : `Sheet “${name}” is left out: `}
              {note}
            </Notice>
          ),
      )}
    </>
  )
}

/** What a finished import did. */
function ImportOutcome({ data, onAgain }: { data: Import; onAgain: () => void }) {
  const zone = useSession().auth_user.company.timezone
  const { add, change, unchanged, remove } = data.counts
  const results = { Added: add, Changed: change, Unchanged: unchanged, 'Marked divested': remove }
  const isCommitted = data.state === 'committed'
  const skipped = leftOut(data.counts)
  return (
    <Stack gap="md" maw={880}>
      <Title order={2}>{data.file_name}</Title>
      {data.state === 'failed' ? (
        <Notice kind="error" title="The file could not be imported">
          {data.failure ?? 'Choose the file again or another one.'}
        </Notice>
      ) : (
        <Text>
          {STATE_LABELS[data.state]}
          {data.committed_at !== null && ` on ${formatDateTime(data.committed_at, zone)}`} by {data.created_by}.
        </Text>
      )}
      {isCommitted && (
        <>
          <Figures figures={Object.entries(results).map(([label, count]) => ({ label, value: formatNumber(count) }))} />
          {data.sums && <PreviewSums sums={data.sums} />}
          {leftOutValue(data) !== '' && <Notice kind="warning">{leftOutValue(data)}.</Notice>}
          {skipped !== '' && <Text c="dimmed">Left out: {skipped}.</Text>}
        </>
      )}
      <Group>
        <Button component={Link} to={paths.accountTab(data.account_id, 'properties')} variant={isCommitted ? 'filled' : 'default'}>
          Open properties
        </Button>
        <Button variant={isCommitted ? 'default' : 'filled'} onClick={onAgain}>
          {isCommitted ? 'Import another file' : 'Choose another file'}
        </Button>
      </Group>
    </Stack>
  )
}
