import { formatList, formatMoney, plural } from '#contract/format.ts'
import { openMoney, type Import } from '#contract/imports.ts'
import { countedParts } from '#web/engines/account/import-progress.ts'
import { leftOutAmount, type Counts } from './import-labels.ts'

/** "1 row, $8,667,000, will not be imported"; '' when no location is left out. */
export function leftOutValue({ sums, state }: Pick<Import, 'sums' | 'state'>): string {
  const rows = sums?.left_out?.rows ?? 0
  const verb = state !== 'committed' ? 'will not be' : rows === 1 ? 'was not' : 'were not'
  return sums && rows > 0 ? `${plural(rows, 'row')}, ${leftOutAmount(sums)}, ${verb} imported` : ''
}

/** Why columns of money are in no sum: "not mapped", "left out", "kept as a custom field". */
export function unmappedReason({ unmapped_money: columns }: Pick<Import, 'unmapped_money'>): string {
  const custom = columns.filter(({ custom_field }) => custom_field)
  const open = openMoney(columns).length
  const reasons = [
    open > 0 ? 'not mapped' : '',
    columns.length > open + custom.length ? 'left out' : '',
    custom.length === 0 ? '' : custom.length === 1 ? 'kept as a custom field' : 'kept as custom fields',
  ]
  return reasons.filter((reason) => reason !== '').join(' or ')
}

/** The amounts in columns that are not imported: "$2,800,000 and €900,000"; '' when there are none. */
export function unmappedAmount({ unmapped_money: columns, sums }: Pick<Import, 'unmapped_money' | 'sums'>): string {
  if (columns.length === 0) return ''
  const known = columns.filter(({ total }) => total !== null)
  if (known.length === 0) return 'Amounts not known'
  const byCurrency = Map.groupBy(known, ({ currency }) => currency ?? sums?.file.currency ?? null)
  if (byCurrency.has(null)) return formatMoney(0, null)
  const sumOf = (some: typeof known) => some.reduce((sum, { total }) => sum + (total ?? 0), 0)
  const amounts = [...byCurrency].map(([currency, some]) => formatMoney(sumOf(some), currency))
  return formatList(known.length === columns.length ? amounts : [...amounts, 'more'])
}

/** "column I", "columns I and J"; '' when no column of money is left out. */
export function unmappedColumns({ unmapped_money: columns }: Pick<Import, 'unmapped_money'>): string {
  const letters = columns.map(({ letter }) => letter)
  return letters.length === 0 ? '' : `${letters.length === 1 ? 'column' : 'columns'} ${formatList(letters)}`
}

/** The rows that are not imported, by reason: "9 with errors, 2 to decide, 1 left out by a decision". Most excluded rows are no locations. */
export function leftOut({
  counts,
  sums,
}: {
  counts: Counts
  sums: (Pick<NonNullable<Import['sums']>, 'left_out'> & { merged_rows?: number }) | null
}): string {
  const { errors = 0, conflict = 0, excluded = 0 } = counts
  // An import from before this was stored does not distinguish them.
  const locations = sums?.left_out?.rows ?? null
  const decided = locations === null ? 0 : Math.min(excluded, Math.max(0, locations - errors - conflict))
  const merged = sums?.merged_rows ?? 0
  const others = excluded - decided - merged
  return countedParts(
    [errors, '# with errors'],
    [conflict, '# to decide'],
    [decided, '# left out by a decision'],
    [merged, merged === 1 ? '# that was added to an earlier row' : '# that were added to earlier rows'],
    [
      others,
      `# other ${others === 1 ? 'row' : 'rows'} (${locations === null ? 'titles, totals and excluded locations' : 'titles and totals'})`,
    ],
  )
}
