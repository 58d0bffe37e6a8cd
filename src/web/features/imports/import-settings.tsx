import { Button, Checkbox, NativeSelect, Select, Stack, Switch, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { COUNTRIES } from '#contract/countries.ts'
import { optionsOf } from '#contract/form.ts'
import { formatNumber, plural } from '#contract/format.ts'
import { IMPORT_MODES, ImportModes, type ImportMode } from '#contract/import-inputs.ts'
import type { Import } from '#contract/imports.ts'
import { CA_PROVINCES, US_STATES } from '#contract/regions.ts'
import classes from './side-panel.module.css'
import { useOpenImport, useUnsaved } from './use-import.ts'

/** Which sheets are imported, what their rows do to the register, and values for columns that the file does not have. */
export function ImportSettings() {
  const { data, editable, patch } = useOpenImport()
  return (
    <Stack gap="sm">
      <SheetChoice />
      <NativeSelect
        label="Mode"
        description={MODE_HELP[data.mode]}
        size="sm"
        disabled={!editable}
        value={data.mode}
        onChange={(event) => patch({ mode: ImportModes.parse(event.currentTarget.value) })}
        data={optionsOf(IMPORT_MODES)}
      />
      <Switch
        label="Empty cells clear the value"
        disabled={!editable}
        checked={data.empty_clears}
        onChange={(event) => patch({ empty_clears: event.currentTarget.checked })}
      />
      {data.constants['repeated_locations'] !== undefined && (
        <NativeSelect
          label="Repeated locations"
          size="sm"
          disabled={!editable}
          value={data.constants['repeated_locations']}
          onChange={({ currentTarget: { value } }) => patch({ answers: { repeated_locations: value } })}
          data={REPEAT_OPTIONS}
        />
      )}
      <Constants key={JSON.stringify(data.constants)} />
    </Stack>
  )
}

/** Sheets of sold properties, and what they propose to mark divested. */
export function SoldSheets() {
  const { data, editable, patch } = useOpenImport()
  const usedSheets = data.sold_sheets.filter(({ used }) => used).map(({ index }) => index)
  return (
    <Stack gap="sm">
      {data.sold_sheets.map((sheet) => (
        <Switch
          key={sheet.index}
          label={`Use sheet “${sheet.name}” to propose divested properties`}
          description={sheet.used ? foundText(sheet) : plural(sheet.rows, 'row')}
          disabled={!editable}
          checked={sheet.used}
          onChange={() => patch({ sold_sheets: toggle(usedSheets, sheet.index) })}
        />
      ))}
    </Stack>
  )
}

const MODE_HELP = {
  add_and_update: 'Adds new locations and changes existing ones.',
  add_only: 'Existing locations are not changed.',
  update_only: 'New locations are left out.',
  full_replacement: 'Properties missing from the file are proposed as divested.',
} as const satisfies Record<ImportMode, string>

/** The decision about repeated locations, which can be changed after the question was answered. */
const REPEAT_OPTIONS = [
  { value: 'buildings', label: 'Further buildings of the location' },
  { value: 'first', label: 'Only the first row of each' },
  { value: 'sum', label: 'Values added to the first row' },
  { value: 'errors', label: 'Errors to correct' },
]

const SEVERAL = 'several'
const sheetLabel = ({ name, rows, hidden }: Import['sheets'][number]) => `${name} (${formatNumber(rows)} rows${hidden ? ', hidden' : ''})`

/** The selected indexes after `index` has been added to them or removed from them. */
const toggle = (selected: readonly number[], index: number): number[] =>
  selected.includes(index) ? selected.filter((other) => other !== index) : [...selected, index].toSorted((a, b) => a - b)

/** Which sheets are imported: one, or several with the same columns together. */
function SheetChoice() {
  const { data, editable, patch } = useOpenImport()
  const taken = data.sheets.filter((sheet) => sheet.taken).map(({ index }) => index)
  const joinable = data.sheets.filter((sheet) => sheet.joinable)
  return (
    <Stack gap="xs">
      <NativeSelect
        label="Sheet"
        size="sm"
        disabled={!editable || data.sheets.length < 2}
        value={taken.length > 1 ? SEVERAL : String(data.sheet ?? '')}
        onChange={(event) => event.currentTarget.value !== SEVERAL && patch({ sheet: Number(event.currentTarget.value) })}
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
              onChange={() => patch({ sheets: toggle(taken, sheet.index) })}
            />
          ))}
        </fieldset>
      )}
    </Stack>
  )
}

const foundText = ({ rows, found, still_listed }: Import['sold_sheets'][number]): string =>
  `${formatNumber(found)} of ${plural(rows, 'row')} found in the register.${
    still_listed === 0 ? '' : ` ${formatNumber(still_listed)} more still on the schedule, so not proposed.`
  }`

const STATE_OPTIONS = Object.entries({ ...US_STATES, ...CA_PROVINCES }).map(([value, { name }]) => ({ value, label: `${name} (${value})` }))
const COUNTRY_OPTIONS = optionsOf(COUNTRIES)

/** Values for all rows, for fields that the file has no column for. */
function Constants() {
  const { data, editable, patch } = useOpenImport()
  const form = useForm<Record<string, string | null>>({
    initialValues: { city: '', state: null, country: null, currency: '', valuation_date: '', ...data.constants },
  })
  useUnsaved(form.isDirty())
  const input = (name: string, label: string) => {
    const isMapped = data.columns.some(({ field, state }) => field === name && state !== 'ignored')
    const placeholder = isMapped ? 'From the file' : 'Not set'
    return { ...form.getInputProps(name), label, size: 'sm', disabled: !editable || isMapped, placeholder } as const
  }
  const save = (values: typeof form.values) =>
    patch({ constants: Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : []))) })
  return (
    <form onSubmit={form.onSubmit(save)}>
      <Stack gap="xs">
        <TextInput {...input('city', 'City for all rows')} />
        <Select searchable clearable data={STATE_OPTIONS} {...input('state', 'State for all rows')} />
        <Select searchable clearable data={COUNTRY_OPTIONS} {...input('country', 'Country for all rows')} />
        <TextInput
          maxLength={3}
          {...input('currency', 'Currency for all rows')}
          onChange={(event) => form.setFieldValue('currency', event.currentTarget.value.toUpperCase())}
        />
        <TextInput type="date" {...input('valuation_date', 'Values as of')} />
        {editable && (
          <Button type="submit" variant="default" disabled={!form.isDirty()}>
            Use these values
          </Button>
        )}
      </Stack>
    </form>
  )
}
