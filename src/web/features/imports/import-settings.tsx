import { Button, NativeSelect, Select, Stack, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import { COUNTRIES } from '#contract/countries.ts'
import { CA_PROVINCES, US_STATES } from '#contract/regions.ts'
import { IMPORT_MODES, ImportModes, type ImportMode } from '#contract/import-inputs.ts'
import type { Import } from '#contract/imports.ts'
import { SheetChoice } from './sheet-choice.tsx'
import { SoldChoice } from './sold-choice.tsx'
import type { Patch } from './use-import.ts'

interface ImportSettingsProps {
  data: Import
  editable: boolean
  onPatch: (patch: Patch) => void
}

/** Which sheet, what the rows do to the register, and the values for columns that the file does not have. */
export function ImportSettings({ data, editable, onPatch }: ImportSettingsProps) {
  return (
    <Stack gap="sm">
      <SheetChoice data={data} editable={editable} onPatch={onPatch} />
      <NativeSelect
        label="Mode"
        description={MODE_HELP[data.mode]}
        size="sm"
        disabled={!editable}
        value={data.mode}
        onChange={(event) => {
          const mode = ImportModes.options.find((known) => known === event.currentTarget.value)
          if (mode) onPatch({ mode })
        }}
        data={ImportModes.options.map((mode) => ({ value: mode, label: IMPORT_MODES[mode] }))}
      />
      <SoldChoice data={data} editable={editable} onPatch={onPatch} />
      <Switch
        label="Empty cells clear the value"
        disabled={!editable}
        checked={data.empty_clears}
        onChange={(event) => onPatch({ empty_clears: event.currentTarget.checked })}
      />
      <Constants key={JSON.stringify(data.constants)} data={data} editable={editable} onPatch={onPatch} />
    </Stack>
  )
}

const MODE_HELP = {
  add_and_update: 'New locations are added, known ones are changed.',
  add_only: 'Known locations stay as they are.',
  update_only: 'New locations are not imported.',
  full_replacement: 'Properties missing from the file are proposed as divested.',
} as const satisfies Record<ImportMode, string>

function Constants({ data, editable, onPatch }: ImportSettingsProps) {
  const [values, setValues] = useState<Record<string, string>>(data.constants)
  const set = (name: string) => (value: string | null) => setValues((current) => ({ ...current, [name]: value ?? '' }))
  const mapped = (field: string) => data.columns.some((column) => column.field === field && column.state !== 'ignored')
  const changed = JSON.stringify(values) !== JSON.stringify(data.constants)
  const common = (field: string) => ({
    size: 'sm' as const,
    disabled: !editable || mapped(field),
    placeholder: mapped(field) ? 'From the file' : 'Not set',
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onPatch({ constants: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '')) })
      }}
    >
      <Stack gap="xs">
        <Select
          label="State for all rows"
          searchable
          clearable
          data={STATE_CHOICES}
          value={values['state'] ?? null}
          onChange={set('state')}
          {...common('state')}
        />
        <Select
          label="Country for all rows"
          searchable
          clearable
          data={COUNTRY_CHOICES}
          value={values['country'] ?? null}
          onChange={set('country')}
          {...common('country')}
        />
        <TextInput
          label="Currency for all rows"
          maxLength={3}
          value={values['currency'] ?? ''}
          onChange={(event) => set('currency')(event.currentTarget.value.toUpperCase())}
          {...common('currency')}
        />
        <TextInput
          label="Values as of"
          type="date"
          value={values['valuation_date'] ?? ''}
          onChange={(event) => set('valuation_date')(event.currentTarget.value)}
          {...common('valuation_date')}
        />
        {editable && (
          <Button type="submit" variant="default" disabled={!changed}>
            Use these values
          </Button>
        )}
      </Stack>
    </form>
  )
}

const STATE_CHOICES = [...Object.entries(US_STATES), ...Object.entries(CA_PROVINCES)].map(([value, { name }]) => ({
  value,
  label: `${name} (${value})`,
}))
const COUNTRY_CHOICES = Object.entries(COUNTRIES).map(([value, name]) => ({ value, label: name }))
