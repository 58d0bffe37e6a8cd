import { z } from 'zod'
import { codesOf } from './code-lists.ts'

/** What can be wrong with a cell. A row with an error is not imported; a row with a warning is. */
export const IMPORT_ISSUES = {
  required_missing: 'Required value missing',
  not_a_number: 'Not a number',
  estimate: 'Amount marked as an estimate',
  not_an_integer: 'Not a whole number',
  out_of_range: 'Out of range',
  unknown_state: 'State not understood',
  bad_postal_code: 'ZIP or postal code not valid',
  state_zip_mismatch: 'State and ZIP disagree',
  bad_coordinates: 'Coordinates not valid',
  swapped_coordinates: 'Latitude and longitude swapped',
  bad_date: 'Date not understood',
  unknown_code: 'Word or code not understood',
  word_to_confirm: 'Word or code to confirm',
  too_long: 'Text too long',
  duplicate_in_file: 'Listed twice in the file',
  number_elsewhere: 'Number used in another city',
  number_in_use: 'Location number in use',
  ambiguous_match: 'Several properties match',
  conflict_match: 'Match needs a decision',
  divested_match: 'Property marked divested',
  divested_already: 'Divested already',
  trashed_match: 'Property in the trash',
  included_elsewhere: 'Value included elsewhere',
  placeholder_value: 'Placeholder instead of a value',
  split_amount: 'Amount split into several cells',
  extra_cells: 'More cells than the header',
  formula_without_value: 'Formula without a result',
  address_parts: 'Address not complete',
  address_above: 'No address of its own',
  address_part: 'Part of the amounts above',
  value_above: 'Taken from the row above',
  heading_state: 'State only in a heading',
  heading_city: 'City only in a heading',
  value_elsewhere: 'Taken from another cell',
  unit: 'Unit not understood',
  mixed_currency: 'Another currency',
  marked_ended: 'Marked as sold, closed or not insured',
  no_location: 'No single location',
  large_change: 'Large change of the value',
  total_differs: 'Total differs from the values',
} as const
export type ImportIssueCode = keyof typeof IMPORT_ISSUES
export const ImportIssueCodes = z.enum(codesOf(IMPORT_ISSUES))
export const ImportIssueSeverities = z.enum(['error', 'warning'])
export type ImportIssueSeverity = z.output<typeof ImportIssueSeverities>
