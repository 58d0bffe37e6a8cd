import type { AccountFile, fileCalls } from '#contract/account-files.ts'
import { DOCUMENT_CATEGORIES, DOCUMENT_CATEGORY_CODES, type DocumentCategoryCode } from '#contract/document-categories.ts'
import { formatDate } from '#contract/format.ts'
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

const idsOf = (properties: PickedProperties) => Object.keys(properties).sort().join()

const isSame = (name: keyof FileDraft, left: FileDraft, right: FileDraft) =>
  name === 'properties' ? idsOf(left.properties) === idsOf(right.properties) : left[name] === right[name]

export const DRAFT_LABELS: Readonly<Record<keyof FileDraft, string>> = {
  vanity_name: 'Descriptive Name',
  category: 'Category',
  report_author_date: 'Report Date',
  private: 'Private',
  sov: 'Submission Document',
  provided_by_broker: 'Provided by broker',
  covers_all_properties: 'Covers all properties',
  properties: 'Properties',
}

const DRAFT_NAMES = [
  'vanity_name',
  'category',
  'report_author_date',
  'private',
  'sov',
  'provided_by_broker',
  'covers_all_properties',
  'properties',
] as const

/** The saved document with the user's changes in it, and the names of the values that both changed differently. */
export function mergeDrafts(base: FileDraft, mine: FileDraft, saved: FileDraft) {
  const changed = DRAFT_NAMES.filter((name) => !isSame(name, base, mine))
  const disputed = changed.filter((name) => !isSame(name, base, saved) && !isSame(name, mine, saved))
  const values: FileDraft = { ...saved, ...Object.fromEntries(changed.map((name) => [name, mine[name]])) }
  return { values, disputed }
}

/** A value of a document in words. */
export function draftText(name: keyof FileDraft, draft: FileDraft, zone: string): string {
  const value = draft[name]
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (typeof value !== 'string') return Object.values(value).join('; ') || 'none'
  if (value === '') return 'empty'
  if (name === 'category') return DOCUMENT_CATEGORIES[draft.category].label
  return name === 'report_author_date' ? formatDate(value, zone) : value
}

/** Who sees a private document, by the rule `seesPrivateFiles` of the server. */
export const privateText = (provider: string): string =>
  `Seen only by ${provider}, and by users of the account's company who can change documents`
