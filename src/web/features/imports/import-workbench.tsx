import { Button, SegmentedControl, Skeleton, Title } from '@mantine/core'
import { useCallback, useState } from 'react'
import { CellBar } from './cell-bar.tsx'
import { ColumnsPanel } from './columns-panel.tsx'
import { CommitBar } from './commit-bar.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import type { ImportAddress } from './import-address.ts'
import type { ImportRow } from '#contract/import-rows.ts'
import type { Import, IssueGroup } from '#contract/imports.ts'
import { ImportNotices } from './import-notices.tsx'
import { ImportOutcome } from './import-outcome.tsx'
import { ImportSettings } from './import-settings.tsx'
import { ImportSteps } from './import-steps.tsx'
import classes from './import-workbench.module.css'
import { IssuesPanel } from './issues-panel.tsx'
import { NotLoaded } from './not-loaded.tsx'
import { Preview } from './preview.tsx'
import { QuestionsPanel } from './questions-panel.tsx'
import { SheetGrid } from './sheet-grid.tsx'
import type { Chosen } from './sheet-selection.ts'
import { useCommit } from './use-commit.ts'
import { useJump } from './use-jump.ts'
import { useImport, useImportPatch } from './use-import.ts'
import { useTicks } from './use-ticks.ts'

interface ImportWorkbenchProps {
  accountId: string
  importId: string
  address: ImportAddress
}

/** All steps after the choice of the file, on one screen: sheet or preview in the middle, settings and issues beside it, the commit below. */
export function ImportWorkbench({ accountId, importId, address }: ImportWorkbenchProps) {
  const query = useImport(importId)
  if (query.isError && query.data === undefined) {
    return (
      <NotLoaded query={query}>
        <Button variant="subtle" onClick={() => address.go({ import: undefined })}>
          Choose another file
        </Button>
      </NotLoaded>
    )
  }
  if (query.data === undefined) return <Skeleton height={560} aria-label="Loading the import" />
  const { state } = query.data
  const over = state === 'committed' || state === 'undone' || state === 'cancelled' || state === 'failed'
  if (over && query.data.activity === null)
    return <ImportOutcome accountId={accountId} data={query.data} onAgain={() => address.go({ import: undefined })} />
  return <Workbench accountId={accountId} data={query.data} address={address} />
}

function Workbench({ accountId, data, address }: { accountId: string; data: Import; address: ImportAddress }) {
  const patch = useImportPatch(data.id)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [row, setRow] = useState<ImportRow>()
  const ticks = useTicks(data)
  const commit = useCommit(accountId, data, ticks)
  const editable = data.activity === null || data.activity === 'validating'
  const { mutate } = patch
  const map = useCallback((letter: string, target: string | null) => mutate({ mapping: { [letter]: target } }), [mutate])
  const edit = useCallback((at: number, column: string, value: string) => mutate({ edits: [{ row: at, column, value }] }), [mutate])
  const jump = useJump(data, setChosen)
  const showIssue = (group: IssueGroup) => {
    address.go({ view: 'sheet' })
    void jump(group)
  }
  return (
    <div className={classes['workbench']}>
      <header className={classes['header']}>
        <Title order={2} className={classes['title']} title={data.file_name}>
          {data.file_name}
        </Title>
        <ImportSteps data={data} />
        <SegmentedControl
          value={address.view}
          onChange={(view) => address.go({ view: view === 'preview' ? 'preview' : 'sheet' })}
          data={[
            { value: 'sheet', label: 'Sheet' },
            { value: 'preview', label: 'Preview' },
          ]}
        />
      </header>
      <ImportNotices data={data} />
      <div className={classes['body']}>
        <div className={classes['main']}>
          {address.view === 'sheet' ? (
            <>
              <CellBar data={data} row={row} chosen={chosen} editable={editable} onPatch={patch.mutate} />
              <div className={classes['sheet']}>
                {data.total > 0 ? (
                  <SheetGrid
                    data={data}
                    editable={editable}
                    chosen={chosen}
                    onChoose={setChosen}
                    onRow={setRow}
                    onMap={map}
                    onEdit={edit}
                  />
                ) : (
                  <Skeleton height="100%" animate={data.activity !== null} />
                )}
              </div>
            </>
          ) : (
            <Preview
              data={data}
              tab={address.tab}
              editable={editable}
              ticks={ticks}
              onTab={(tab) => address.go({ tab })}
              onPatch={patch.mutate}
              onShowRow={(at) => {
                address.go({ view: 'sheet' })
                setChosen({ row: at - 1, column: null })
              }}
            />
          )}
        </div>
        <aside className={classes['side']} aria-label="Settings and issues">
          {editable && data.questions.length > 0 && <QuestionsPanel data={data} onPatch={patch.mutate} />}
          <section>
            <Title order={3} mb="xs">
              Issues
            </Title>
            <IssuesPanel data={data} onJump={showIssue} />
          </section>
          <section>
            <Title order={3} mb="xs">
              Columns
            </Title>
            <ColumnsPanel data={data} editable={editable} onPatch={patch.mutate} />
          </section>
          <section>
            <Title order={3} mb="xs">
              Settings
            </Title>
            <ImportSettings data={data} editable={editable} onPatch={patch.mutate} />
          </section>
        </aside>
      </div>
      <CommitBar
        data={data}
        removals={ticks.count}
        busy={commit.isPending || data.activity === 'committing'}
        onCommit={commit.start}
        onRejected={commit.downloadRejected}
        onCancel={commit.cancel}
      />
      {commit.moved && <ConflictDialog moved={commit.moved} onClose={commit.review} />}
    </div>
  )
}
