import { MultiSelect } from '@mantine/core'
import { useSearchOptions, type Labels } from '#web/engines/form/search-options.tsx'
import classes from './documents.module.css'

/** Labels of the picked properties by id, so that their chips have one before and after a search. */
export type PickedProperties = Labels

interface PropertyPickerProps {
  accountId: string
  label: string
  value: PickedProperties
  onChange: (value: PickedProperties) => void
}

/** Properties of one account, found by address, name or location number. */
export function PropertyPicker({ accountId, label, value, onChange }: PropertyPickerProps) {
  const { labels, select } = useSearchOptions('account_properties', value, accountId)
  return (
    <MultiSelect
      label={label}
      placeholder={Object.keys(value).length === 0 ? 'Type an address or name' : ''}
      classNames={{ inputField: classes['pickerInput'] ?? '' }}
      hidePickedOptions
      value={Object.keys(value)}
      onChange={(ids) => onChange(Object.fromEntries(ids.map((id) => [id, labels[id] ?? id])))}
      {...select}
    />
  )
}
