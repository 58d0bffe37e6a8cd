import type { PageMeta } from '#contract/datatable.ts'

const PARTS = [
  ['building_value', 'Building'],
  ['contents_value', 'Contents'],
  ['bi_value', 'Business income'],
] as const

interface ValuePart {
  name: string
  label: string
  amount: number
  /** Whether any property has this value: without one, the amount is not 0 but unknown. */
  isStated: boolean
}

/** The parts of the total insured value of a list, which add up to it: other structures, and contents that are stated apart, are the last. */
export function valueParts({ totals, valued }: PageMeta): ValuePart[] {
  const parts: ValuePart[] = PARTS.map(([name, label]) => ({ name, label, amount: totals?.[name] ?? 0, isStated: valued?.[name] !== 0 }))
  const other = (totals?.['tiv'] ?? 0) - parts.reduce((sum, { amount }) => sum + amount, 0)
  return other === 0 ? parts : [...parts, { name: 'other', label: 'Other', amount: other, isStated: true }]
}
