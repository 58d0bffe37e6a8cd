import { UnstyledButton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import IconHelpCircle from '@tabler/icons-react/dist/esm/icons/IconHelpCircle.mjs'
import IconLayoutSidebarRightCollapse from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRightCollapse.mjs'
import IconLayoutSidebarRightExpand from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRightExpand.mjs'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { formatNumber } from '#contract/format.ts'
import { COLUMN_STATES, type ImportColumn } from '#contract/imports.ts'
import { countedParts } from '#web/engines/account/import-progress.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ColumnWords } from './column-words.tsx'
import { CompactButton } from './compact-button.ts'
import { COLUMN_LABELS, DECISION_CODES } from './import-labels.ts'
import { ImportSettings, SoldSheets } from './import-settings.tsx'
import { Issues } from './issue-list.tsx'
import { IssueIcon } from './issue-mark.tsx'
import { AnsweredQuestions, FileNotes, OpenQuestions } from './open-questions.tsx'
import { PanelSection } from './panel-section.tsx'
import { RepeatedFile, valuesGoingBack } from './repeated-file.tsx'
import type { SheetSelection } from './sheet-selection.ts'
import classes from './side-panel.module.css'
import { useOpenImport } from './use-import.ts'

/** Whether the panel is folded, as chosen before. A new question unfolds it. */
export function usePanelFold(questions: number) {
  const [folded, setFolded] = useLocalStorage({ key: 'plumbline.import-panel-folded', defaultValue: false, getInitialValueInEffect: false })
  const seen = useRef(questions)
  useEffect(() => {
    if (questions > seen.current) setFolded(false)
    seen.current = questions
  }, [questions, setFolded])
  return { folded, toggle: () => setFolded((value) => !value), unfold: () => setFolded(false) }
}

interface SidePanelProps {
  fold: ReturnType<typeof usePanelFold>
  /** The suggested answer to the first open question. */
  firstAnswer: RefObject<HTMLButtonElement | null>
  onSelect: (selection: SheetSelection) => void
}

/** Next to the sheet, in order of urgency: questions, rows that stay out, values to check, columns and settings. */
export function ImportSidePanel({ fold, firstAnswer, onSelect }: SidePanelProps) {
  const { data, editable } = useOpenImport()
  const [words, setWords] = useState<string | null>(null)
  const select = (selection: SheetSelection) => {
    setWords(data.columns[selection.column ?? -1]?.letter ?? null)
    onSelect(selection)
  }
  const Icon = fold.folded ? IconLayoutSidebarRightExpand : IconLayoutSidebarRightCollapse
  return (
    <aside className={classes['panel']} aria-label="Settings and issues" data-folded={fold.folded || undefined}>
      <header className={classes['head']}>
        <h3>To settle</h3>
        <IconButton
          name={fold.folded ? 'Show the panel (])' : 'Fold the panel (])'}
          aria-expanded={!fold.folded}
          onClick={fold.toggle}
          tooltipPosition="left"
        >
          <Icon size={18} aria-hidden />
        </IconButton>
      </header>
      <FoldedCounts onUnfold={fold.unfold} />
      <div className={classes['content']}>
        {editable && <OpenQuestions firstAnswer={firstAnswer} onSelect={select} />}
        {editable && <AnsweredQuestions />}
        <RepeatedFile />
        <FileNotes onSelect={select} />
        <Issues onSelect={select} />
        <ColumnWords open={words} onOpen={setWords} />
        {data.sold_sheets.length > 0 && (
          <PanelSection title="Sold" note={countedParts([data.ticked, '# marked divested'])}>
            <SoldSheets />
          </PanelSection>
        )}
        {data.columns.length > 0 && <Columns />}
        <PanelSection title="Settings" open={false}>
          <ImportSettings />
        </PanelSection>
      </div>
    </aside>
  )
}

/** In the folded panel, counts that unfold it. Without a finished check there are none. */
function FoldedCounts({ onUnfold }: { onUnfold: () => void }) {
  const { data } = useOpenImport()
  const checked = data.state === 'validated'
  const warnings = data.issues.filter(({ severity, code }) => severity === 'warning' && !DECISION_CODES.includes(code)).length
  const counts = [
    { name: 'Questions', count: data.questions.length, icon: <IconHelpCircle size={18} color="var(--info)" aria-hidden /> },
    {
      name: 'Rows that stay out',
      count: checked ? (data.sums?.left_out?.rows ?? data.counts.errors ?? 0) : 0,
      icon: <IssueIcon severity="error" aria-hidden />,
    },
    { name: 'Properties that go back to older values', count: valuesGoingBack(data), icon: <IssueIcon severity="warning" aria-hidden /> },
    { name: 'Kinds of values to check', count: checked ? warnings : 0, icon: <IssueIcon severity="warning" aria-hidden /> },
  ]
  return (
    <div className={classes['counts']}>
      {counts.map(
        ({ name, count, icon }) =>
          count > 0 && (
            <UnstyledButton key={name} className={classes['count']} title={name} onClick={onUnfold}>
              {icon}
              <span>
                <span className="visually-hidden">{name}: </span>
                {formatNumber(count)}
              </span>
            </UnstyledButton>
          ),
      )}
    </div>
  )
}

/** How many columns are in each state, with buttons to confirm or ignore several at once. */
function Columns() {
  const { data, editable, patch } = useOpenImport()
  const inState = (state: ImportColumn['state']) => data.columns.filter((column) => column.state === state)
  const labels = { ...COLUMN_LABELS, confirm: 'To confirm' }
  const counts = COLUMN_STATES.map((state) => [inState(state).length, `# ${labels[state].toLowerCase()}`] as const)
  const mapAll = (label: string, columns: readonly ImportColumn[], target: (column: ImportColumn) => string | null) =>
    editable &&
    columns.length > 0 && (
      <CompactButton onClick={() => patch({ mapping: Object.fromEntries(columns.map((column) => [column.letter, target(column)])) })}>
        {label}
      </CompactButton>
    )
  const isOpen = inState('confirm').length + inState('unmapped').length > 0
  return (
    <PanelSection key={String(isOpen)} title="Columns" note={countedParts(...counts)} open={isOpen}>
      {isOpen && (
        <div className={classes['buttons']}>
          {mapAll('Confirm all proposals', inState('confirm'), ({ field }) => field)}
          {mapAll('Ignore all unmapped columns', inState('unmapped'), () => 'ignore')}
        </div>
      )}
    </PanelSection>
  )
}
