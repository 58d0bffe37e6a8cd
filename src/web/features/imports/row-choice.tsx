import { Button } from '@mantine/core'
import type { ImportRow } from '#contract/import-rows.ts'
import type { Patch } from './use-import.ts'

/** Whether the row counts and which property it is, where a person may decide that or has: each decision can be taken back. */
export function RowChoice({ row, onPatch }: { row: ImportRow; onPatch: (patch: Patch) => void }) {
  const out = row.excluded || row.kind !== 'data'
  // A new location that the mode leaves aside is not excluded: only the mode brings it in.
  const isLeftByMode = row.kind === 'data' && row.excluded && row.choice === null
  const isOpen = !isLeftByMode && row.kind !== 'blank' && row.kind !== 'header'
  return (
    <>
      {row.matched_by_hand && (
        <Button variant="default" size="compact-md" onClick={() => onPatch({ matches: [{ row: row.row, automatic: true }] })}>
          Match automatically again
        </Button>
      )}
      {row.choice !== null ? (
        <Button variant="default" size="compact-md" onClick={() => onPatch({ exclusions: [{ row: row.row, automatic: true }] })}>
          {row.choice === 'excluded' ? 'Include row again' : 'No location after all'}
        </Button>
      ) : (
        isOpen && (
          <Button variant="default" size="compact-md" onClick={() => onPatch({ exclusions: [{ row: row.row, excluded: !out }] })}>
            {out ? 'Include row' : 'Exclude row'}
          </Button>
        )
      )}
    </>
  )
}
