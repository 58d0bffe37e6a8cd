import { Button, Checkbox, NativeSelect, Select, Stack, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { COUNTRIES } from '#contract/countries.ts'
import { formatNumber, plural } from '#contract/format.ts'
import { IMPORT_MODES, ImportModes, type ImportMode } from '#contract/import-inputs.ts'
import type { Import } from '#contract/imports.ts'
import { CA_PROVINCES, US_STATES } from '#contract/regions.ts'
import classes from './import-workbench.module.css'
import type { ImportProps } from './use-import.ts'

/** Which sheets are imported, what their rows do to the register, and values for columns that the file does not have. */
export function ImportSettings(props: ImportProps) {
  const { data, editable, onPatch } = props
  return (
    <Stack gap="sm">
      <SheetChoice {...props} />
      <NativeSelect
        label="Mode"
        description={MODE_HELP[data.mode]}
        size="sm"
        disabled={!editable}
        value={data.mode}
        onChange={(event) => {
          const mode = ImportModes.options.find((option) => option === event.currentTarget.value)
          if (mode) onPatch({ mode })
        }}
        data={ImportModes.options.map((mode) => ({ value: mode, label: IMPORT_MODES[mode] }))}
      />
      {data.sold_sheets.length > 0 && <SoldSheets {...props} />}
      <Switch
        label="Empty cells clear the value"
        disabled={!editable}
        checked={data.empty_clears}
        onChange={(event) => onPatch({ empty_clears: event.currentTarget.checked })}
      />
      <Constants key={JSON.stringify(data.constants)} {...props} />
    </Stack>
  )
}

const MODE_HELP = {
  add_and_update: 'Adds new locations and changes existing ones.',
  add_only: 'Existing locations are not changed.',
  update_only: 'New locations are left out.',
  full_replacement: 'Properties missing from the file are proposed as divested.',
} as const satisfies Record<ImportMode, string>

type Sheet = Import['sheets'][number]
const SEVERAL = 'several'
const sheetLabel = ({ name, rows, hidden }: Sheet) => `${name} (${formatNumber(rows)} rows${hidden ? ', hidden' : ''})`

/** Which sheets are imported: one, or several with the same columns together. */
function SheetChoice({ data, editable, onPatch }: ImportProps) {
  const taken = data.sheets.filter((sheet) => sheet.taken).map(({ index }) => index)
  const joinable = data.sheets.filter((sheet) => sheet.joinable)
  const toggle = (index: number, wanted: boolean) =>
    onPatch({ sheets: wanted ? [...taken, index].sort((a, b) => a - b) : taken.filter((other) => other !== index) })
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
      {joinable.length > 1 && (
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
      )}
    </Stack>
  )
}

/** Whether the sheets that list sold properties propose properties to mark divested. */
function SoldSheets({ data, editable, onPatch }: ImportProps) {
  const used = data.sold_sheets.filter((sheet) => sheet.used).map(({ index }) => index)
  return (
    <Stack gap="xs">
      {data.sold_sheets.map((sheet) => (
        <Switch
          key={sheet.index}
          label={`Use sheet “${sheet.name}” to propose divested properties`}
          description={sheet.used ? foundText(sheet) : plural(sheet.rows, 'row')}
          disabled={!editable}
          checked={sheet.used}
          onChange={(event) =>
            onPatch({ sold_sheets: event.currentTarget.checked ? [...used, sheet.index] : used.filter((index) => index !== sheet.index) })
          }
        />
      ))}
    </Stack>
  )
}

const foundText = ({ rows, found, still_listed }: Import['sold_sheets'][number]): string =>
  `${formatNumber(found)} of ${plural(rows, 'row')} found in the register.${
    still_listed === 0 ? '' : ` ${formatNumber(still_listed)} more still on the schedule, so not proposed.`
  }`

const STATE_OPTIONS = [...Object.entries(US_STATES), ...Object.entries(CA_PROVINCES)].map(([value, { name }]) => ({
  value,
  label: `${name} (${value})`,
}))
const COUNTRY_OPTIONS = Object.entries(COUNTRIES).map(([value, name]) => ({ value, label: name }))

/** Values for all rows, for fields that the file has no column for. */
function Constants({ data, editable, onPatch }: ImportProps) {
  const [values, setValues] = useState<Record<string, string>>(data.constants)
  const set = (name: string, value: string | null) => setValues((current) => ({ ...current, [name]: value ?? '' }))
  const common = (name: string, label: string) => {
    const isMapped = data.columns.some(({ field, state }) => field === name && state !== 'ignored')
    return { label, size: 'sm', disabled: !editable || isMapped, placeholder: isMapped ? 'From the file' : 'Not set' } as const
  }
  const select = (name: string, label: string, options: typeof COUNTRY_OPTIONS) => (
    <Select
      searchable
      clearable
      data={options}
      value={values[name] ?? null}
      onChange={(value) => set(name, value)}
      {...common(name, label)}
    />
  )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onPatch({ constants: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) })
      }}
    >
      <Stack gap="xs">
        {select('state', 'State for all rows', STATE_OPTIONS)}
        {select('country', 'Country for all rows', COUNTRY_OPTIONS)}
        <TextInput
          maxLength={3}
          value={values['currency'] ?? ''}
          onChange={(event) => set('currency', event.currentTarget.value.toUpperCase())}
          {...common('currency', 'Currency for all rows')}
        />
        <TextInput
          type="date"
          value={values['valuation_date'] ?? ''}
          onChange={(event) => set('valuation_date', event.currentTarget.value)}
          {...common('valuation_date', 'Values as of')}
        />
        {editable && (
          <Button type="submit" variant="default" disabled={JSON.stringify(values) === JSON.stringify(data.constants)}>
            Use these values
          </Button>
        )}
      </Stack>
    </form>
  )
}
