import { Button, SegmentedControl } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { plural } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import { isFinished } from '#web/engines/account/import-progress.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { CellBar } from './cell-bar.tsx'
import { CommitBar } from './commit-bar.tsx'
import { FileBar } from './file-bar.tsx'
import { isChecked } from './import-labels.ts'
import { ImportOutcome } from './import-outcome.tsx'
import { ImportSidePanel, usePanelFold } from './import-side-panel.tsx'
import classes from './import-workbench.module.css'
import { Preview } from './preview.tsx'
import { RowTabs } from './row-tabs.tsx'
import { SheetGrid } from './sheet-grid.tsx'
import { useSelectMarked, type SheetSelection } from './sheet-selection.ts'
import { SheetSkeleton } from './sheet-skeleton.tsx'
import { SheetTabs } from './sheet-tabs.tsx'
import { ImportContext, useImport, useImportAddress, useImportContext, useOpenImport } from './use-import.ts'

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
    <Loaded query={query} skeleton={<SheetSkeleton label="Loading the import" columns={8} />} action={otherFile}>
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

const PANES = ['settle', 'sheet'] as const
type Pane = (typeof PANES)[number]

/** Sheet or preview on the left, what is to settle on the right, sums and commit below. A phone shows one of the two sides. */
function Workbench({ data }: { data: Import }) {
  const { go } = useImportAddress()
  const [selected, setSelected] = useState<SheetSelection | null>(null)
  const [pane, setPane] = useState<Pane>('settle')
  const fold = usePanelFold(data.questions.length)
  const show = (selection: SheetSelection) => {
    go({ view: 'sheet', tab: undefined })
    setSelected(selection)
    setPane('sheet')
  }
  const firstAnswer = useRef<HTMLButtonElement>(null)
  const showQuestions = () => {
    // Only a visible button can have the focus.
    flushSync(() => {
      fold.unfold()
      setPane('settle')
    })
    firstAnswer.current?.focus()
  }
  const selectMarked = useSelectMarked(data, selected, show)
  useHotkeys([
    ['q', showQuestions],
    [']', fold.toggle],
    ['F8', () => void selectMarked(1)],
    ['shift+F8', () => void selectMarked(-1)],
  ])
  return (
    <div className={classes['workbench']} data-pane={pane} data-folded={fold.folded || undefined}>
      <FileBar data={data} />
      <SegmentedControl
        className={classes['panes'] ?? ''}
        fullWidth
        value={pane}
        onChange={setPane}
        data={[
          { value: 'settle', label: data.questions.length === 0 ? 'To settle' : `To settle ${data.questions.length}` },
          { value: 'sheet', label: 'Sheet' },
        ]}
      />
      <div className={classes['body']}>
        <SheetSide selected={selected} onSelect={setSelected} onShow={show} />
        <ImportSidePanel fold={fold} firstAnswer={firstAnswer} onSelect={show} />
      </div>
      <CommitBar onWaiting={showQuestions} />
    </div>
  )
}

interface SheetSideProps {
  selected: SheetSelection | null
  onSelect: (selection: SheetSelection) => void
  /** Selects a cell after switching to the sheet. */
  onShow: (selection: SheetSelection) => void
}

/** All rows like a spreadsheet, or the rows of one tab, each as in the file or as they will be in the register. */
function SheetSide({ selected, onSelect, onShow }: SheetSideProps) {
  const { data } = useOpenImport()
  const { tab, reading } = useImportAddress()
  const isRead = data.sheet_rows > 0
  return (
    <div className={classes['main']}>
      <RowTabs />
      {tab === undefined ? (
        <>
          <CellBar selected={selected} />
          {isRead && <SheetGrid selected={selected} onSelect={onSelect} reading={isChecked(data) ? reading : 'file'} />}
          {!isRead && <SheetSkeleton label={readingLabel(data)} columns={data.columns.length || 8} />}
          <SheetTabs />
        </>
      ) : (
        <Preview tab={tab} reading={reading} onShowRow={(row) => onShow({ row: row - 1, column: null })} />
      )}
    </div>
  )
}

const readingLabel = ({ progress: { total } }: Import) => (total === 0 ? 'Reading the file' : `Reading ${plural(total, 'row')}`)
