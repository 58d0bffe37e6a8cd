import { z } from 'zod'
import type { CodeList } from './code-lists.ts'
import { COUNTRIES } from './countries.ts'
import { CURRENCIES } from './currencies.ts'
import { propertyField, type PropertyFieldName } from './property-fields.ts'
import { CA_PROVINCES, US_STATES } from './regions.ts'

/** A word that leaves the field empty. */
export const NO_CODE = ''

const WORD_MAX = 200

/** What a user chose for a word in the columns of a field. */
export const WordChoice = z.strictObject({
  field: z.string().max(60),
  word: z.string().trim().min(1, 'Please name the word.').max(WORD_MAX),
  /** A code of the field's list, '' to leave the field empty, or null to undo the choice. */
  code: z.string().max(60).nullable(),
})
export type WordChoice = z.output<typeof WordChoice>

/** A distinct word of a column that was not understood for certain, or that has a choice. */
export const ColumnWord = z.object({
  /** As the first row writes it; case and spaces make no difference. */
  word: z.string(),
  rows: z.number(),
  /** What the rows contain: the chosen code, or the proposed one; null if the field stays empty. */
  code: z.string().nullable(),
  /** A code that is only offered for an open word: the rows do not contain it. */
  suggestion: z.string().optional(),
  /** Where it was chosen: in this import or in an earlier one; null for an open word. */
  choice: z.enum(['chosen', 'remembered']).nullable(),
})
export type ColumnWord = z.output<typeof ColumnWord>

/** Two texts with the same key are the same word. */
export const wordKey = (text: string): string => text.replace(/\s+/g, ' ').trim().toLowerCase()

/** The field that a column mapped to `target` chooses a code for: shares of sprinkler protection are read as protection. */
export function wordField<T extends string>(target: T | 'percent_sprinklered'): T | 'sprinklered' {
  return target === 'percent_sprinklered' ? 'sprinklered' : target
}

const REGIONS: CodeList = Object.fromEntries(Object.entries({ ...US_STATES, ...CA_PROVINCES }).map(([code, { name }]) => [code, name]))

/** The codes that a word can mean; undefined for a field without a list of codes. */
export function codesForWords(field: PropertyFieldName): CodeList | undefined {
  const definition = propertyField(field)
  if (definition.kind === 'choice') return definition.choices
  if (definition.kind === 'state') return REGIONS
  if (definition.kind === 'country') return COUNTRIES
  return definition.kind === 'currency' ? CURRENCIES : undefined
}

/** Whether rows can be imported without a value in the field. */
export const canStayEmpty = (field: PropertyFieldName): boolean => propertyField(field).level !== 'required'
