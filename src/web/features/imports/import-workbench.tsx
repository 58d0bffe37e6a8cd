import { Button, Group, SegmentedControl, Skeleton, Stack, Text, Title } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatDateTime, formatNumber } from '#contract/format.ts'
import type { ImportRow } from '#contract/import-rows.ts'
import type { Import, IssueGroup } from '#contract/imports.ts'
import { useSession } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import { CellBar } from './cell-bar.tsx'
import { CommitBar } from './commit-bar.tsx'
import { STATE_LABELS, leftOut } from './import-labels.ts'
import { ImportSidePanel } from './import-side-panel.tsx'
import classes from './import-workbench.module.css'
import { LoadError } from './load-error.tsx'
import previewClasses from './preview.module.css'
import { Preview, PreviewSums } from './preview.tsx'
import { SheetGrid } from './sheet-grid.tsx'
import { useSelectIssue, type SheetSelection } from './sheet-selection.ts'
import { useImport, useImportAddress, useImportPatch } from './use-import.ts'
import { useRemovals } from './use-removals.ts'

const FINISHED: readonly Import['state'][] = ['committed', 'undone', 'cancelled', 'failed']

/** All steps after choosing the file, on one screen; for a finished import its outcome. */
export function ImportWorkbench({ accountId, importId }: { accountId: string; importId: string }) {
  const query = useImport(importId)
  const address = useImportAddress()
  const startOver = () => address.go({ import: undefined })
  if (query.isError && query.data === undefined) {
    return (
      <LoadError query={query}>
        <Button variant="subtle" onClick={startOver}>
          Choose another file
        </Button>
      </LoadError>
    )
  }
  if (query.data === undefined) return <Skeleton height={560} aria-label="Loading the import" />
  const { state, activity } = query.data
  return FINISHED.includes(state) && activity === null ? (
    <ImportOutcome accountId={accountId} data={query.data} onAgain={startOver} />
  ) : (
    <Workbench accountId={accountId} data={query.data} />
  )
}

/** Sheet or preview in the middle, settings and issues next to it, the commit below. */
function Workbench({ accountId, data }: { accountId: string; data: Import }) {
  const { mutate: onPatch } = useImportPatch(data.id)
  const { view, tab, go } = useImportAddress()
  const [selected, setSelected] = useState<SheetSelection | null>(null)
  const [row, setRow] = useState<ImportRow>()
  const removals = useRemovals(data)
  const selectIssue = useSelectIssue(data, setSelected)
  const props = { data, onPatch, editable: data.activity === null || data.activity === 'validating' }
  const showIssue = (group: IssueGroup) => {
    go({ view: 'sheet' })
    void selectIssue(group)
  }
  const showRow = (number: number) => {
    go({ view: 'sheet' })
    setSelected({ row: number - 1, column: null })
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
          onChange={(value) => go({ view: value === 'preview' ? 'preview' : 'sheet' })}
          data={[
            { value: 'sheet', label: 'Sheet' },
            { value: 'preview', label: 'Preview' },
          ]}
        />
      </header>
      <ImportNotices data={data} />
      <div className={classes['body']}>
        <div className={classes['main']}>
          {view === 'sheet' ? (
            <>
              <CellBar {...props} row={row} selected={selected} />
              <div className={classes['sheet']}>
                {data.total > 0 ? (
                  <SheetGrid {...props} selected={selected} onSelect={setSelected} onRow={setRow} />
                ) : (
                  <Skeleton height="100%" animate={data.activity !== null} />
                )}
              </div>
            </>
          ) : (
            <Preview {...props} tab={tab} removals={removals} onTab={(next) => go({ tab: next })} onShowRow={showRow} />
          )}
        </div>
        <ImportSidePanel {...props} onSelectIssue={showIssue} />
      </div>
      <CommitBar accountId={accountId} data={data} removals={removals} />
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
function ImportOutcome({ accountId, data, onAgain }: { accountId: string; data: Import; onAgain: () => void }) {
  const zone = useSession().auth_user.company.timezone
  const { add, change, unchanged, remove } = data.counts
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
          <div className={previewClasses['sums']}>
            {Object.entries({ Added: add, Changed: change, Unchanged: unchanged, 'Marked divested': remove }).map(([label, count]) => (
              <dl key={label} style={{ margin: 0 }}>
                <dt>{label}</dt>
                <dd>{formatNumber(count)}</dd>
              </dl>
            ))}
          </div>
          {data.sums && <PreviewSums sums={data.sums} />}
          {skipped !== '' && <Text c="dimmed">Left out: {skipped}.</Text>}
        </>
      )}
      <Group>
        {!isCommitted && <Button onClick={onAgain}>Choose another file</Button>}
        <Button component={Link} to={paths.accountTab(accountId, 'properties')} variant={isCommitted ? 'filled' : 'default'}>
          Open properties
        </Button>
        {isCommitted && (
          <Button variant="default" onClick={onAgain}>
            Import another file
          </Button>
        )}
      </Group>
    </Stack>
  )
}
