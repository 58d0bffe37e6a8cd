import { Group, NativeSelect, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { useState } from 'react'
import { formatNumber, formatProgress } from '#contract/format.ts'
import { IMPORT_ISSUES } from '#contract/import-issues.ts'
import { COLUMN_STATES, type Import, type ImportColumn, type IssueGroup } from '#contract/imports.ts'
import { Notice } from '#web/ui/notice.tsx'
import { ColumnWords } from './column-words.tsx'
import { CompactButton } from './compact-button.ts'
import { COLUMN_LABELS, countedParts, fieldLabel } from './import-labels.ts'
import { ImportSettings } from './import-settings.tsx'
import classes from './import-workbench.module.css'
import { IssueIcon } from './issue-mark.tsx'
import { issueKey, useSelectIssue, type SheetSelection } from './sheet-selection.ts'
import { useOpenImport } from './use-import.ts'

/** Next to the sheet: questions about the file, issues, columns and settings. */
export function ImportSidePanel({ onSelect }: { onSelect: (selection: SheetSelection) => void }) {
  const { data, editable } = useOpenImport()
  const [words, setWords] = useState<string | null>(null)
  const select = (selection: SheetSelection) => {
    setWords(data.columns[selection.column ?? -1]?.letter ?? null)
    onSelect(selection)
  }
  const sections = { Issues: <IssueList onSelect={select} />, Columns: <ColumnSummary />, Settings: <ImportSettings /> }
  return (
    <aside className={classes['side']} aria-label="Settings and issues">
      {editable && data.questions.length > 0 && <Questions />}
      {Object.entries(sections).map(([title, content]) => (
        <section key={title}>
          {title === 'Columns' && <ColumnWords open={words} onOpen={setWords} />}
          <Title order={3} mb="xs">
            {title}
          </Title>
          {content}
        </section>
      ))}
    </aside>
  )
}

/** The possible answers to a question, by the constant of the import that stores the answer. */
const ANSWERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  factor: { 1: 'No, as written', 1_000: 'In thousands', 1_000_000: 'In millions' },
  date_order: { mdy: 'Month first', dmy: 'No, day first' },
  area_unit: { sqft: 'Square feet', m2: 'Square meters' },
  construction_scheme: { words: 'Words', iso: 'ISO classes', oed: 'OED codes', air: 'AIR codes', rms: 'RMS codes' },
  occupancy_scheme: { words: 'Words', oed: 'OED codes', air: 'AIR codes', hazus: 'HAZUS codes', atc: 'ATC codes' },
}

/** Questions about the file that only a person can answer: one click for the suggested answer, a menu for the others. */
function Questions() {
  const { data, patch } = useOpenImport()
  const answer = (constant: string, value: string) => patch({ constants: { ...data.constants, [constant]: value } })
  return (
    <Stack gap="xs">
      {data.questions.map(({ constant, suggestion, message, options }) => {
        const others = Object.entries(options ?? ANSWERS[constant] ?? {}).filter(([value]) => value !== suggestion)
        return (
          <Notice key={constant} kind="warning">
            <Text size="sm">{message}</Text>
            <Group gap="xs" mt={8}>
              <CompactButton onClick={() => answer(constant, suggestion)}>Yes</CompactButton>
              <NativeSelect
                size="xs"
                aria-label={`Another answer to: ${message}`}
                value=""
                onChange={(event) => event.currentTarget.value !== '' && answer(constant, event.currentTarget.value)}
                data={[{ value: '', label: 'Another answer' }, ...others.map(([value, label]) => ({ value, label }))]}
              />
            </Group>
          </Notice>
        )
      })}
    </Stack>
  )
}

/** The issues by kind and column with their counts, errors first. Each click selects the next cell with the issue. */
function IssueList({ onSelect }: { onSelect: (selection: SheetSelection) => void }) {
  const { data } = useOpenImport()
  const selectIssue = useSelectIssue(data, onSelect)
  if (data.state !== 'validated' || data.activity === 'validating') return <CheckState data={data} />
  if (data.issues.length === 0) {
    return (
      <Text className={classes['noIssues']}>
        <IconCheck size={16} aria-hidden /> No issues found.
      </Text>
    )
  }
  const sorted = data.issues.toSorted((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error') || b.count - a.count)
  return (
    <ul className={classes['issueList']}>
      {sorted.map((group) => (
        <li key={issueKey(group)}>
          <UnstyledButton className={classes['issueGroup']} data-severity={group.severity} onClick={() => void selectIssue(group)}>
            <IssueIcon severity={group.severity} />
            <span className={classes['issueText']}>
              {IMPORT_ISSUES[group.code]}
              <span className={classes['issuePlace']}>{placeOf(group)}</span>
            </span>
            <span className="tabular">{formatNumber(group.count)}</span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  )
}

/** Before the rows are checked there is no verdict: how far the check is, or that it has not run. */
function CheckState({ data: { activity, progress } }: { data: Import }) {
  const { done, total } = progress
  const percent = total === 0 ? '' : `: ${formatProgress((done / total) * 100)} %`
  const running = activity === 'validating' ? `The rows are being checked${percent}.` : 'The file is being read.'
  return (
    <Text size="sm" c="dimmed" role="status">
      {activity === null ? 'The rows have not been checked yet.' : running}
    </Text>
  )
}

/** The column, or the field that no column is mapped to. */
function placeOf({ column, header, field }: IssueGroup): string {
  if (column !== null) return `Column ${column}${header ? `, ${header}` : ''}`
  return field === null ? 'Whole row' : fieldLabel(field)
}

/** How many columns are in each state, with buttons to confirm or ignore several at once. */
function ColumnSummary() {
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
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">{countedParts(...counts)}</Text>
      {mapAll('Confirm all proposals', inState('confirm'), ({ field }) => field)}
      {mapAll('Ignore all unmapped columns', inState('unmapped'), () => 'ignore')}
    </Stack>
  )
}
