import { Text, UnstyledButton } from '@mantine/core'
import IconAlertOctagon from '@tabler/icons-react/dist/esm/icons/IconAlertOctagon.mjs'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { IMPORT_ISSUES } from '#contract/import-issues.ts'
import type { Import, IssueGroup } from '#contract/imports.ts'
import { fieldLabel } from './import-words.ts'
import classes from './issues-panel.module.css'

interface IssuesPanelProps {
  data: Import
  onJump: (group: IssueGroup) => void
}

/** What is wrong, errors first, by kind and column with its count; each leads to the cells it is about, one after the other. */
export function IssuesPanel({ data, onJump }: IssuesPanelProps) {
  if (data.issues.length === 0) {
    return (
      <Text className={classes['none']}>
        <IconCheck size={16} aria-hidden /> Nothing is wrong with the rows.
      </Text>
    )
  }
  const groups = [...data.issues].sort((a, b) => Number(b.severity === 'error') - Number(a.severity === 'error') || b.count - a.count)
  return (
    <ul className={classes['list']}>
      {groups.map((group) => {
        const Shape = group.severity === 'error' ? IconAlertOctagon : IconAlertTriangle
        return (
          <li key={`${group.severity} ${group.code} ${group.column ?? ''} ${group.field ?? ''}`}>
            <UnstyledButton className={classes['group']} data-severity={group.severity} onClick={() => onJump(group)}>
              <Shape size={16} aria-label={group.severity === 'error' ? 'Error' : 'Warning'} />
              <span className={classes['words']}>
                {IMPORT_ISSUES[group.code]}
                <span className={classes['where']}>{whereOf(group)}</span>
              </span>
              <span className="tabular">{group.count.toLocaleString('en-US')}</span>
            </UnstyledButton>
          </li>
        )
      })}
    </ul>
  )
}

/** The column, or the field that no column feeds. */
function whereOf({ column, header, field }: IssueGroup): string {
  if (column !== null) return `Column ${column}${header ? `, ${header}` : ''}`
  return field === null ? 'Whole row' : fieldLabel(field)
}
