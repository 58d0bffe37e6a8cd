import { z } from 'zod'
import { codesOf } from './code-lists.ts'
import { VALUATION_BASES } from './property-vocabularies.ts'
import { call, json } from './route.ts'

/** What the active properties of an account have in common. */
export const RegisterSummary = z.object({
  states: z.number(),
  countries: z.number(),
  /** The country of all of them; null if there are several. */
  country: z.string().nullable(),
  /** The known bases of the values. */
  valuation_bases: z.array(z.enum(codesOf(VALUATION_BASES))),
  /** The first and the last day that values are as of; null if no property with a value has one. */
  valued_from: z.string().nullable(),
  valued_to: z.string().nullable(),
  /** Properties with a value, but without the day that it is as of, or without a known basis. */
  undated: z.number(),
  without_basis: z.number(),
})
export type RegisterSummary = z.output<typeof RegisterSummary>

export const registerSummaryCalls = {
  ofAccount: call(
    'GET',
    '/account_properties/:id/summary',
    'view_account_properties',
    'States, and basis and days of the values, of the active properties of an account; the id is the account’s',
    { output: json(RegisterSummary) },
  ),
}
