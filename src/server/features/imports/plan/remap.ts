import type { ImportRecord } from '#server/features/imports/import-record.ts'
import { invalid } from '#server/kernel/errors.ts'
import { isMappingTarget, isSummable } from './mapping-target.ts'

/** The mapping after a person's choice: a field leaves the column that held it, unless both may feed it together. */
export function remapped(
  { mapping, columns }: Pick<ImportRecord, 'mapping' | 'columns'>,
  choice: Readonly<Record<string, string | null>>,
): Pick<ImportRecord, 'mapping' | 'columns'> {
  const next = { ...mapping }
  for (const [letter, target] of Object.entries(choice)) {
    if (!columns.some(({ column }) => column === letter)) throw invalid({ mapping: [`The sheet has no column ${letter}.`] })
    if (target === null) {
      delete next[letter]
      continue
    }
    if (!isMappingTarget(target)) throw invalid({ mapping: [`“${target}” is no field that a column can be mapped to.`] })
    const isShared = target === 'ignore' || target === 'custom' || isSummable(target)
    if (!isShared) for (const [other, held] of Object.entries(next)) if (held === target) delete next[other]
    next[letter] = target
  }
  const chosen = new Set(Object.keys(choice))
  return {
    mapping: next,
    columns: columns.map((column) => (chosen.has(column.column) ? { ...column, status: 'mapped', note: null } : column)),
  }
}
