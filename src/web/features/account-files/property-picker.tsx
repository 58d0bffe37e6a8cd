import { MultiSelect } from '@mantine/core'
import { useSearchOptions } from '#web/engines/form/search-options.ts'
import classes from './documents.module.css'

/** Addresses of the picked properties by id, so that their chips have a label before and after a search. */
export type PickedProperties = Readonly<Record<string, string>>

interface PropertyPickerProps {
  accountId: string
  label: string
  value: PickedProperties
  onChange: (value: PickedProperties) => void
}

/** Properties of one account, found by address, name or location number. */
export function PropertyPicker({ accountId, label, value, onChange }: PropertyPickerProps) {
  const { found, isSearching, select } = useSearchOptions('account_properties', accountId)
  const labels: PickedProperties = { ...Object.fromEntries(found.map(({ id, name }) => [id, name])), ...value }
  return (
    <MultiSelect
      label={label}
      placeholder={Object.keys(value).length === 0 ? 'Type an address or name' : ''}
      classNames={{ inputField: classes['pickerInput'] ?? '' }}
      hidePickedOptions
      value={Object.keys(value)}
      data={Object.entries(labels).map(([id, text]) => ({ value: id, label: text }))}
      nothingFoundMessage={isSearching ? 'Searching…' : 'No property of this account matches.'}
      onChange={(ids) => onChange(Object.fromEntries(ids.map((id) => [id, labels[id] ?? id])))}
      {...select}
    />
  )
}
