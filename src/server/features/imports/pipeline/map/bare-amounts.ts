import { multipleIn, parseMoney } from '#server/features/imports/pipeline/validate/read-numbers.ts'
import type { BareAmounts } from '#server/features/imports/pipeline/validate/results.ts'

/** An amount with or without a currency and a multiple. Most other texts are not read as one, which takes longer. */
const LIKE_AMOUNT = /^(?:\p{Sc}|[A-Z]{3}\s?)?\s?\d[\d,.']*\s?[a-z€£]{0,9}\.?$/iu
/** Powers of ten by which amounts of one column usually differ. */
const SPREAD = 1.5
const MILLION = 1_000_000
/** Smaller amounts of buildings are rarely full ones next to others in millions. */
const UNIT_BELOW = 10_000

/** Collects the amounts of a column, to find those like 101 next to others like `123 K`. */
export function observeBareAmounts() {
  let logarithms = 0
  const multiples = new Map<number, { count: number; example: string }>()
  /** By power of ten, the first one. */
  const bare = new Map<number, string>()
  let writesMM = false
  return {
    /** @param number the number of a cell without a currency or a multiple */
    add(text: string, number: number | undefined) {
      const amount = number ?? (LIKE_AMOUNT.test(text) ? parseMoney(text, false) : undefined)
      if (amount === undefined || amount <= 0) return
      const { unit, multiple } = number === undefined ? multipleIn(text) : { unit: '', multiple: 1 }
      writesMM ||= unit === 'mm'
      if (multiple === 1) {
        const power = Math.floor(Math.log10(amount))
        if (!bare.has(power)) bare.set(power, text)
        return
      }
      logarithms += Math.log10(amount)
      const { count, example } = multiples.get(multiple) ?? { count: 0, example: text }
      multiples.set(multiple, { count: count + 1, example })
    },
    /** @param factor the unit that the header or the user names, which is the one of amounts without a multiple */
    found(factor: number, answer: 'multiply' | 'written' | undefined): { bare?: BareAmounts; unitBelow?: number; writesMM?: boolean } {
      const letters = writesMM ? { writesMM } : {}
      const [most] = [...multiples].sort(([, a], [, b]) => b.count - a.count)
      if (most === undefined || factor > 1) return letters
      const [multiple, { example }] = most
      const count = [...multiples.values()].reduce((sum, one) => sum + one.count, 0)
      const usual = logarithms / count - Math.log10(multiple)
      const [from, to] = [Math.floor(usual - SPREAD), Math.floor(usual + SPREAD)]
      const [, small] = [...bare].find(([power]) => power >= from && power <= to) ?? []
      // Next to `1.2M`, 500 may be in thousands, or a mistake.
      if (small === undefined) return { ...letters, ...(multiple >= MILLION ? { unitBelow: UNIT_BELOW } : {}) }
      const isMultiplied = answer === undefined ? null : answer === 'multiply'
      return { ...letters, bare: { multiple, below: 10 ** (to + 1), isMultiplied, examples: { multiple: example, bare: small } } }
    },
  }
}
