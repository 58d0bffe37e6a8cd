import { currenciesOf } from './summarize.ts'
import type { Tally } from './tally.ts'

/** The only currency of the properties with values of the account; undefined if there is none, or several. */
export function accountCurrency(tally: Tally): string | undefined {
  const [currency, ...others] = currenciesOf(tally, 'before').keys()
  return others.length === 0 ? currency : undefined
}

/** Why the rows cannot be written: amounts in several currencies cannot be added up. Null if they can, or if an answer decides it first. */
export function currencyConflict(tally: Tally, questions: readonly { constant: string }[]): string | null {
  const own = accountCurrency(tally)
  const isOther = [...currenciesOf(tally, 'written').keys()].some((currency) => currency !== own)
  if (own === undefined || !isOther || questions.some(({ constant }) => constant === 'currency')) return null
  return `The properties of this account are in ${own}, and rows of this file in another currency. Convert their amounts, or import the file into an account of its own.`
}
