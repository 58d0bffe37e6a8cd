import type { AccountFile, fileCalls } from '#contract/account-files.ts'
import { DOCUMENT_CATEGORIES, DOCUMENT_CATEGORY_CODES, type DocumentCategoryCode } from '#contract/document-categories.ts'
import type { BodyIn } from '#contract/route.ts'
import type { PickedProperties } from './property-picker.tsx'

export const CATEGORY_OPTIONS = DOCUMENT_CATEGORY_CODES.map((code) => ({ value: code, label: DOCUMENT_CATEGORIES[code].label }))

export const categoryOf = (value: string | null): DocumentCategoryCode | undefined => DOCUMENT_CATEGORY_CODES.find((code) => code === value)

export type FlagField = 'private' | 'sov' | 'provided_by_broker' | 'covers_all_properties'

/** The editable values of a document. */
export interface FileDraft extends Pick<AccountFile, FlagField> {
  vanity_name: string
  category: DocumentCategoryCode
  report_author_date: string
  properties: PickedProperties
}

export const draftOf = (file: AccountFile): FileDraft => ({
  vanity_name: file.vanity_name ?? '',
  category: categoryOf(file.category) ?? 'other',
  report_author_date: file.report_author_date?.slice(0, 10) ?? '',
  private: file.private,
  sov: file.sov,
  provided_by_broker: file.provided_by_broker,
  covers_all_properties: file.covers_all_properties,
  properties: Object.fromEntries(file.properties.map(({ id, full_address }) => [id, full_address])),
})

type Changes = Omit<BodyIn<typeof fileCalls.patch>, 'version'>

/** Only the changed values, so that two users can change different ones at the same time. */
export function changesOf(draft: FileDraft, file: AccountFile): Changes {
  const { properties, ...values } = draft
  const { properties: linkedBefore, ...valuesBefore } = draftOf(file)
  const before: Record<string, unknown> = valuesBefore
  const differing: Changes = Object.fromEntries(Object.entries(values).filter(([name, value]) => before[name] !== value))
  // If the flag were missing, the server would set it from the new category.
  const changed: Changes = differing.category === undefined ? differing : { ...differing, sov: draft.sov }
  const ids = Object.keys(properties).sort()
  return ids.join() === Object.keys(linkedBefore).sort().join() ? changed : { ...changed, properties: ids }
}
