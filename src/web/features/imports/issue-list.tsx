import { UnstyledButton } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { useMutation, useQuery } from '@tanstack/react-query'
import { formatMoney, formatNumber, formatProgress, plural } from '#contract/format.ts'
import { IMPORT_ISSUES } from '#contract/import-issues.ts'
import type { ImportRow } from '#contract/import-rows.ts'
import { importCalls } from '#contract/import-calls.ts'
import { openMoney, type Import, type IssueGroup } from '#contract/imports.ts'
import { apiFile } from '#web/data/client.ts'
import { showError } from '#web/engines/show-error.ts'
import { saveBlob } from '#web/ui/download.ts'
import { DECISION_CODES, fieldLabel, leftOutAmount, statedTotal } from './import-labels.ts'
import { IssueIcon } from './issue-mark.tsx'
import { PanelSection } from './panel-section.tsx'
import { valuesGoingBack } from './repeated-file.tsx'
import { issueKey, useSelectIssue, type SheetSelection } from './sheet-selection.ts'
import panel from './side-panel.module.css'
import classes from './issue-list.module.css'
import { importQueries, useImportAddress, useOpenImport } from './use-import.ts'

type OnSelect = (selection: SheetSelection) => void

/** Rows that stay out with their value, then values to check, by cause and column. */
export function Issues({ onSelect }: { onSelect: OnSelect }) {
  const { data } = useOpenImport()
  if (data.state !== 'validated' || data.activity === 'validating') return <CheckState data={data} />
  const errors = data.issues.filter(({ severity }) => severity === 'error')
  const warnings = data.issues.filter(({ severity, code }) => severity === 'warning' && !DECISION_CODES.includes(code))
  const decisions = data.counts.conflict ?? 0
  const isLeftOut = (data.sums?.left_out?.rows ?? 0) > 0
  if (errors.length + warnings.length + decisions === 0 && !isLeftOut) {
    // An answer changes how the rows are read. Values that go back to older ones, amounts without a field and another total are issues of the file.
    const isSettled = data.questions.length + openMoney(data.unmapped_money).length + valuesGoingBack(data) === 0
    if (!isSettled || data.register_changed || data.currency_conflict !== null || statedTotal(data)?.agrees === false) return null
    return (
      <p className={panel['settled']}>
        <IconCheck size={16} aria-hidden /> No issues found.
      </p>
    )
  }
  const cells = warnings.reduce((sum, { count }) => sum + count, 0)
  return (
    <>
      {(errors.length + decisions > 0 || isLeftOut) && <StayingOut groups={errors} decisions={decisions} onSelect={onSelect} />}
      {warnings.length > 0 && (
        <PanelSection title="To check" note={`${plural(warnings.length, 'cause')}, ${plural(cells, 'cell')}`}>
          <IssueGroups groups={warnings} onSelect={onSelect} />
        </PanelSection>
      )}
    </>
  )
}

/** Before the rows are checked there is no verdict: how far the check is, or that it has not run. */
function CheckState({ data: { activity, progress } }: { data: Import }) {
  const { done, total } = progress
  const percent = total === 0 ? '' : `: ${formatProgress((done / total) * 100)} %`
  const running = activity === 'validating' ? `The rows are being checked${percent}.` : 'The file is being read.'
  return (
    <p className={panel['checkState']} role="status">
      {activity === null ? 'The rows have not been checked yet.' : running}
    </p>
  )
}

interface StayingOutProps {
  groups: readonly IssueGroup[]
  /** Rows that need a decision. */
  decisions: number
  onSelect: OnSelect
}

/** The rows that are not imported, by cause; their values are known when all of them fit on one page. */
function StayingOut({ groups, decisions, onSelect }: StayingOutProps) {
  const { data } = useOpenImport()
  const { go } = useImportAddress()
  const { data: page } = useQuery(importQueries.rows(data.id, 1, 'errors'))
  const out = data.sums?.left_out
  const download = useMutation({
    mutationFn: () => apiFile(importCalls.rejected, { params: { id: data.id } }),
    onSuccess: ({ blob, fileName }) => saveBlob(blob, fileName ?? `Rejected rows of ${data.file_name}.xlsx`),
    onError: (error) => showError(error, true),
  })
  // What a person decided to leave out has no error.
  const leftOut = (out?.rows ?? 0) - (data.counts.errors ?? 0) - decisions
  const rows = page !== undefined && page.meta.total === page.data.length ? page.data : []
  return (
    <PanelSection
      title="Stays out"
      note={plural(out?.rows ?? (data.counts.errors ?? 0) + decisions, 'row')}
      amount={data.sums && out && ((out.tiv ?? 0) > 0 || data.sums.unread_rows > 0) ? leftOutAmount(data.sums) : ''}
    >
      {decisions > 0 && (
        <UnstyledButton className={classes['issue']} onClick={() => go({ view: 'preview', tab: 'conflict' })}>
          <IssueIcon severity="error" />
          <span className={classes['issueText']}>
            Needs a decision
            <small>Which property is it?</small>
          </span>
          <span className="tabular">{formatNumber(decisions)}</span>
        </UnstyledButton>
      )}
      {leftOut > 0 && (
        <UnstyledButton className={classes['issue']} onClick={() => go({ view: 'preview', tab: 'excluded' })}>
          <IssueIcon severity="error" />
          <span className={classes['issueText']}>
            Left out
            <small>By a decision</small>
          </span>
          <span className="tabular">{formatNumber(leftOut)}</span>
        </UnstyledButton>
      )}
      <IssueGroups groups={groups} rows={rows} onSelect={onSelect} />
      {(data.counts.errors ?? 0) > 0 && (
        <button type="button" className={classes['link']} disabled={download.isPending} onClick={() => download.mutate()}>
          Download the rows that stay out
        </button>
      )}
    </PanelSection>
  )
}

interface IssueGroupsProps {
  groups: readonly IssueGroup[]
  /** All rows with one of the issues, if they are known. */
  rows?: readonly ImportRow[]
  onSelect: OnSelect
}

/** The issues by kind and column with their counts, the most frequent first. Each click selects the next cell with the issue. */
function IssueGroups({ groups, rows = [], onSelect }: IssueGroupsProps) {
  const { data } = useOpenImport()
  const selectIssue = useSelectIssue(data, onSelect)
  return (
    <ul className={classes['issues']}>
      {groups
        .toSorted((a, b) => b.count - a.count)
        .map((group) => (
          <li key={issueKey(group)}>
            <UnstyledButton className={classes['issue']} onClick={() => void selectIssue(group)}>
              <IssueIcon severity={group.severity} />
              <span className={classes['issueText']}>
                {IMPORT_ISSUES[group.code]}
                <small>{placeOf(group)}</small>
              </span>
              <span className={classes['issueCount']}>
                {formatNumber(group.count)}
                <small>{valueOf(group, rows, data)}</small>
              </span>
            </UnstyledButton>
          </li>
        ))}
    </ul>
  )
}

/** The insured value of the rows with an issue; '' if it is not known or has several currencies. */
function valueOf(group: IssueGroup, rows: readonly ImportRow[], { sums }: Import): string {
  const currency = sums?.left_out?.currency ?? null
  const value = rows
    .filter(({ issues }) => issues.some((issue) => issueKey(issue) === issueKey(group)))
    .reduce((sum, { tiv }) => sum + (tiv ?? 0), 0)
  return value > 0 && currency !== null ? formatMoney(value, currency) : ''
}

/** The column, or the field that no column is mapped to. */
function placeOf({ column, header, field }: IssueGroup): string {
  if (column !== null) return `Column ${column}${header ? `, ${header}` : ''}`
  return field === null ? 'Whole row' : fieldLabel(field)
}
