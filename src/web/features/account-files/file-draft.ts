import type { AccountFile } from '#contract/account-files.ts'
import type { DocumentCategoryCode } from '#contract/document-categories.ts'
import { DOCUMENT_CATEGORY_CODES } from '#contract/document-categories.ts'
import type { ChosenProperties } from './property-picker.tsx'

/** A document as its form holds it. */
export interface FileDraft {
  vanity_name: string
  category: DocumentCategoryCode
  report_author_date: string
  private: boolean
  sov: boolean
  provided_by_broker: boolean
  covers_all_properties: boolean
  properties: ChosenProperties
}

export const draftOf = (file: AccountFile): FileDraft => ({
  vanity_name: file.vanity_name ?? '',
  category: DOCUMENT_CATEGORY_CODES.find((code) => code === file.category) ?? 'other',
  report_author_date: file.report_author_date?.slice(0, 10) ?? '',
  private: file.private,
  sov: file.sov,
  provided_by_broker: file.provided_by_broker,
  covers_all_properties: file.covers_all_properties,
  properties: Object.fromEntries(file.properties.map(({ id, full_address }) => [id, full_address])),
})

type Changes = Partial<Omit<FileDraft, 'properties'> & { properties: string[] }>

/** Only what a person changed, so that two people may change different things. */
export function changesOf(draft: FileDraft, file: AccountFile): Changes {
  const { properties, ...plain } = draft
  const before = draftOf(file)
  const { properties: linkedBefore, ...plainBefore } = before
  const known: Record<string, unknown> = plainBefore
  const differing: Changes = Object.fromEntries(Object.entries(plain).filter(([name, value]) => known[name] !== value))
  // Without it the server would set the flag by the new category.
  const changed: Changes = differing.category === undefined ? differing : { ...differing, sov: draft.sov }
  const ids = Object.keys(properties).sort()
  const sameLinks = ids.join() === Object.keys(linkedBefore).sort().join()
  return sameLinks ? changed : { ...changed, properties: ids }
}
