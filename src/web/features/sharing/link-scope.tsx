import { Checkbox, Input, MultiSelect, Stack } from '@mantine/core'
import { DOCUMENT_CATEGORIES, DOCUMENT_CATEGORY_CODES, type DocumentCategoryCode } from '#contract/document-categories.ts'
import { formatList } from '#contract/format.ts'
import { useSearchOptions } from '#web/engines/form/search-options.tsx'
import { Choice } from './choice.tsx'
import type { LinkValues } from './link-values.ts'
import classes from './sharing.module.css'

interface LinkScopeProps {
  accountId: string
  values: LinkValues
  errors: Readonly<Record<string, string>>
  set: (patch: Partial<LinkValues>) => void
}

const PROPERTIES = { all: 'All properties, also new ones', chosen: 'Chosen properties' } as const
const DOCUMENTS = { all: 'Documents of all categories', chosen: 'Documents of chosen categories' } as const
const chosenIf = (isChosen: boolean) => (isChosen ? 'chosen' : 'all')

/** The properties and documents that a link shows, and what it does not show. */
export function LinkScope({ accountId, values, errors, set }: LinkScopeProps) {
  const { choosesProperties, choosesCategories } = values
  return (
    <Stack gap="xs" role="group" aria-label="What they see">
      <Choice
        label="What they see"
        options={PROPERTIES}
        value={chosenIf(choosesProperties)}
        onChange={(next) => set({ choosesProperties: next === 'chosen' })}
      />
      {choosesProperties && (
        <>
          <Properties accountId={accountId} values={values} error={errors['property_ids']} set={set} />
          <Checkbox
            label="Also documents that are linked to no property"
            description="Such as schedules, loss runs and policies. They can name all properties."
            checked={values.unlinked_files}
            onChange={({ currentTarget }) => set({ unlinked_files: currentTarget.checked })}
          />
        </>
      )}
      <Choice
        label="Documents"
        options={DOCUMENTS}
        value={chosenIf(choosesCategories)}
        onChange={(next) => set({ choosesCategories: next === 'chosen' })}
      />
      {choosesCategories && <Categories values={values} error={errors['categories']} set={set} />}
      <p className={classes['help']}>{notIncluded(values)}</p>
    </Stack>
  )
}

interface PartProps extends Pick<LinkScopeProps, 'values' | 'set'> {
  error: string | undefined
}

/** Found by number, name, address or city. */
function Properties({ accountId, values: { properties }, error, set }: PartProps & { accountId: string }) {
  const { labels, select } = useSearchOptions('account_properties', properties, accountId)
  return (
    <MultiSelect
      label="Properties"
      placeholder={Object.keys(properties).length === 0 ? 'Type a number, name or city' : ''}
      hidePickedOptions
      error={error}
      value={Object.keys(properties)}
      onChange={(ids) => set({ properties: Object.fromEntries(ids.map((id) => [id, labels[id] ?? id])) })}
      {...select}
    />
  )
}

const Categories = ({ values: { categories }, error, set }: PartProps) => {
  const toggle = (code: DocumentCategoryCode, isChosen: boolean) =>
    // In the order of the list.
    set({ categories: DOCUMENT_CATEGORY_CODES.filter((one) => (one === code ? isChosen : categories.includes(one))) })
  return (
    <Input.Wrapper error={error}>
      <div className={classes['categories']} role="group" aria-label="Categories">
        {DOCUMENT_CATEGORY_CODES.map((code) => (
          <Checkbox
            key={code}
            label={DOCUMENT_CATEGORIES[code].label}
            checked={categories.includes(code)}
            onChange={({ currentTarget }) => toggle(code, currentTarget.checked)}
          />
        ))}
      </div>
    </Input.Wrapper>
  )
}

/** In words, because a wrong guess about a link cannot be taken back. */
function notIncluded({ choosesProperties, choosesCategories, unlinked_files: unlinked }: LinkValues): string {
  const left = [
    ...(choosesProperties ? ['all other properties with their documents', 'properties that are added later'] : []),
    ...(choosesProperties && !unlinked ? ['documents that are linked to no property'] : []),
    ...(choosesCategories ? ['documents of other categories'] : []),
    'private documents',
  ]
  const shared = choosesProperties
    ? ' A document of several properties is included if one of them is chosen. The list names only that one, but the document itself can name the others.'
    : ''
  return `Not included: ${formatList(left)}.${shared}`
}
