import { Checkbox, NativeSelect, Stack } from '@mantine/core'
import type { Import } from '#contract/imports.ts'
import classes from './sheet-choice.module.css'
import type { Patch } from './use-import.ts'

interface SheetChoiceProps {
  data: Import
  editable: boolean
  onPatch: (patch: Patch) => void
}

/** Which sheets are imported: one, or several with the same columns together. */
export function SheetChoice({ data, editable, onPatch }: SheetChoiceProps) {
  const taken = data.sheets.filter((sheet) => sheet.taken)
  const joinable = data.sheets.filter((sheet) => sheet.joinable)
  return (
    <Stack gap="xs">
      <NativeSelect
        label="Sheet"
        size="sm"
        disabled={!editable || data.sheets.length < 2}
        value={taken.length > 1 ? SEVERAL : String(data.sheet ?? '')}
        onChange={(event) => event.currentTarget.value !== SEVERAL && onPatch({ sheet: Number(event.currentTarget.value) })}
        data={[
          ...(taken.length > 1 ? [{ value: SEVERAL, label: `${taken.length} sheets together` }] : []),
          ...data.sheets.map((sheet) => ({ value: String(sheet.index), label: sheetLabel(sheet) })),
        ]}
      />
      {joinable.length > 1 && <JoinedSheets data={data} joinable={joinable} editable={editable} onPatch={onPatch} />}
    </Stack>
  )
}

const SEVERAL = 'several'

type Sheet = Import['sheets'][number]
const sheetLabel = ({ name, rows, hidden }: Sheet) => `${name} (${rows.toLocaleString('en-US')} rows${hidden ? ', hidden' : ''})`

function JoinedSheets({ data, joinable, editable, onPatch }: SheetChoiceProps & { joinable: readonly Sheet[] }) {
  const taken = data.sheets.filter((sheet) => sheet.taken).map(({ index }) => index)
  const toggle = (index: number, wanted: boolean) =>
    onPatch({ sheets: wanted ? [...taken, index].sort((a, b) => a - b) : taken.filter((other) => other !== index) })
  return (
    <fieldset className={classes['sheets']}>
      <legend>Sheets with the same columns</legend>
      {joinable.map((sheet) => (
        <Checkbox
          key={sheet.index}
          label={sheetLabel(sheet)}
          description={sheet.note}
          disabled={!editable || (sheet.taken && taken.length === 1)}
          checked={sheet.taken}
          onChange={(event) => toggle(sheet.index, event.currentTarget.checked)}
        />
      ))}
    </fieldset>
  )
}
