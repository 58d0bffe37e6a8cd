import { invalid } from '#server/kernel/errors.ts'
import { isMappingTarget, type ColumnProposal } from './propose-mapping.ts'
import { isSummable } from './rival-columns.ts'

type MappedColumns<C> = { mapping: Record<string, string>; columns: C[] }

/**
 * The mapping after a user's change. A field is removed from the column it was mapped to, unless the values of both are added.
 * @throws AppError invalid for an unknown column or target
 */
export function changeMapping<C extends Pick<ColumnProposal, 'column' | 'status' | 'note'>>(
  { mapping, columns }: MappedColumns<C>,
  change: Readonly<Record<string, string | null>>,
): MappedColumns<C> {
  const next = { ...mapping }
  for (const [letter, target] of Object.entries(change)) {
    if (!columns.some(({ column }) => column === letter)) throw invalid({ mapping: [`The sheet has no column ${letter}.`] })
    delete next[letter]
    if (target === null) continue
    if (!isMappingTarget(target)) throw invalid({ mapping: [`A column cannot be mapped to “${target}”.`] })
    const isShared = target === 'ignore' || target === 'custom' || isSummable(target)
    if (!isShared) for (const [other, current] of Object.entries(next)) if (current === target) delete next[other]
    next[letter] = target
  }
  return {
    mapping: next,
    columns: columns.map((column) => (column.column in change ? { ...column, status: 'mapped', note: null } : column)),
  }
}
