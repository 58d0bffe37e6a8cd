import { Button, Stack, Text } from '@mantine/core'
import type { Import, ImportColumn } from '#contract/imports.ts'
import { formatNumber } from '#contract/format.ts'
import { COLUMN_WORDS } from './import-words.ts'
import type { Patch } from './use-import.ts'

const ORDER = ['mapped', 'confirm', 'unmapped', 'custom', 'ignored'] as const satisfies readonly ImportColumn['state'][]

/** How the columns of the sheet stand, and one click for all of a kind. */
export function ColumnsPanel({ data, editable, onPatch }: { data: Import; editable: boolean; onPatch: (patch: Patch) => void }) {
  const inState = (state: ImportColumn['state']) => data.columns.filter((column) => column.state === state)
  const shown = ORDER.filter((state) => inState(state).length > 0)
  const toConfirm = inState('confirm')
  const unmapped = inState('unmapped')
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        {shown
          .map(
            (state) => `${formatNumber(inState(state).length)} ${state === 'confirm' ? 'to confirm' : COLUMN_WORDS[state].toLowerCase()}`,
          )
          .join(', ')}
      </Text>
      {editable && toConfirm.length > 0 && (
        <Button
          variant="default"
          size="compact-md"
          onClick={() => onPatch({ mapping: Object.fromEntries(toConfirm.map(({ letter, field }) => [letter, field])) })}
        >
          Confirm all proposals
        </Button>
      )}
      {editable && unmapped.length > 0 && (
        <Button
          variant="default"
          size="compact-md"
          onClick={() => onPatch({ mapping: Object.fromEntries(unmapped.map(({ letter }) => [letter, 'ignore'])) })}
        >
          Ignore all that are not mapped
        </Button>
      )}
    </Stack>
  )
}
