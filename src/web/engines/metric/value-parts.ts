import type { PageMeta } from '#contract/datatable.ts'
import { CONTENTS_PARTS } from '#contract/property-fields.ts'

const PARTS = [
  { name: 'building_value', label: 'Building', of: ['building_value'] },
  { name: 'contents_value', label: 'Contents', of: ['contents_value', ...CONTENTS_PARTS] },
  { name: 'bi_value', label: 'Business income', of: ['bi_value'] },
] as const

interface ValuePart {
  name: string
  label: string
  amount: number
  /** Whether any property has this value: without one, the amount is not 0 but unknown. */
  isStated: boolean
}

/** The parts of the total insured value of a list, which add up to it; other structures are the last. */
export function valueParts({ totals, valued }: PageMeta): ValuePart[] {
  const parts: ValuePart[] = PARTS.map(({ of, name, label }) => ({
    name,
    label,
    amount: of.reduce((sum, part) => sum + (totals?.[part] ?? 0), 0),
    isStated: valued?.[name] !== 0 || of.some((part) => (valued[part] ?? 0) > 0),
  }))
  const other = (totals?.['tiv'] ?? 0) - parts.reduce((sum, { amount }) => sum + amount, 0)
  return other === 0 ? parts : [...parts, { name: 'other', label: 'Other', amount: other, isStated: true }]
}
