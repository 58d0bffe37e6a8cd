import { Stack, Switch } from '@mantine/core'
import type { Import } from '#contract/imports.ts'
import { plural } from '#contract/format.ts'
import type { Patch } from './use-import.ts'

type Sold = Import['sold_sheets'][number]

/** Whether the sheets that list what was sold propose properties to mark divested. */
export function SoldChoice({ data, editable, onPatch }: { data: Import; editable: boolean; onPatch: (patch: Patch) => void }) {
  if (data.sold_sheets.length === 0) return null
  const used = data.sold_sheets.filter((sheet) => sheet.used).map(({ index }) => index)
  return (
    <Stack gap="xs">
      {data.sold_sheets.map((sheet) => (
        <Switch
          key={sheet.index}
          label={`Use sheet “${sheet.name}” to propose divested properties`}
          description={sheet.used ? foundWords(sheet) : plural(sheet.rows, 'row')}
          disabled={!editable}
          checked={sheet.used}
          onChange={(event) =>
            onPatch({
              sold_sheets: event.currentTarget.checked ? [...used, sheet.index] : used.filter((index) => index !== sheet.index),
            })
          }
        />
      ))}
    </Stack>
  )
}

const foundWords = ({ rows, found, still_listed }: Sold): string =>
  `${found.toLocaleString('en-US')} of ${plural(rows, 'row')} found in the register.${
    still_listed === 0 ? '' : ` ${still_listed.toLocaleString('en-US')} more still on the schedule, so they stay.`
  }`
