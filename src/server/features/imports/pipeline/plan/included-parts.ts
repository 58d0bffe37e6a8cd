import type { Import } from '#contract/imports.ts'
import { isContentsPart } from '#contract/property-fields.ts'
import type { PlannedColumn } from '#server/features/imports/pipeline/map/read-plan.ts'
import { normalizeHeader, scoreHeader } from '#server/features/imports/pipeline/read/headers.ts'
import type { Tally } from './tally.ts'

type Column = Pick<PlannedColumn, 'column' | 'header' | 'target'>

interface PartFacts {
  constants: Readonly<Record<string, string>>
  plan: { columns: readonly Column[] }
  tally: Tally
}

/** The columns with parts of the contents, or of the building, whose amounts another column includes, and how the file shows it. */
export function findIncludedParts(columns: readonly Column[], tally: Tally): { parts: Column[]; reason: string } | undefined {
  const contents = columns.find(({ target }) => target === 'contents_value')
  const parts = columns.filter(({ target }) => isContentsPart(target))
  const building = columns.find(({ target, header }) => target === 'building_value' && parts.some((part) => includes(header, part.target)))
  const whole = building ?? contents
  if (!whole || parts.length === 0) return undefined
  const named = parts.filter((part) => includes(whole.header, part.target) || (whole === contents && saysIncluded(part.header)))
  if (named.length > 0) return { parts: named, reason: `By the headers, ${list(named)}, may be part of ${nameOf(whole)}` }
  const total = columns.find(({ target }) => target === 'stated_tiv')
  const excess = total === undefined ? 0 : (tally['stated parts'] ?? 0) - (tally['stated'] ?? 0)
  const isExcess = (some: readonly Column[]) =>
    Math.abs(some.reduce((sum, { target }) => sum + (tally[`file ${target}`] ?? 0), 0) - excess) <= (tally['stated rows'] ?? 0)
  const found = excess > 0 ? [...parts.map((part) => [part]), parts].find(isExcess) : undefined
  if (!total || !found) return undefined
  return {
    parts: found,
    reason: `The values exceed ${nameOf(total)}, by exactly the amounts of ${list(found)}, so these are part of another column`,
  }
}

/** Whether a column with this target is left out because another column includes its amounts. */
export const isIncludedPart = (constants: PartFacts['constants'], target: string | null): boolean =>
  constants['included_parts'] === 'included' && isContentsPart(target ?? '')

/** Amounts that another column includes would count twice. */
export function partQuestion({ constants, plan: { columns }, tally }: PartFacts): Import['questions'] {
  const found = constants['included_parts'] === undefined ? findIncludedParts(columns, tally) : undefined
  if (!found) return []
  const [them, these] = found.parts.length === 1 ? ['it', 'its amounts'] : ['them', 'their amounts']
  const message = `${found.reason}. Leave ${them} out, so that ${these} do not count twice?`
  return [{ constant: 'included_parts', suggestion: 'included', message, options: { separate: `No, add ${them}` } }]
}

const nameOf = ({ column, header }: Column) => `column ${column}, “${header}”`
const list = (columns: readonly Column[]) => columns.map(nameOf).join(', and ')

const OF_WHICH = /^\W*(?:of which|thereof|incl(?:\.|uded|uding|udes)?|davon|dont)(?!\p{L})|(?<!\p{L})(?:included|incl\.?) (?:above|in )/iu
/** Whether the header of a part says that another column includes it: `of which Stock`, `Stock (included in contents)`. */
const saysIncluded = (header: string): boolean => OF_WHICH.test(header)

const INCLUDING = /(?:(?<!\p{L})(?:incl(?:\.|uding|udes)?|inkl\.?|with)(?!\p{L})|\bw\/|[+&])\s*(.+)$/iu
/** Whether a header names a part as included: `Contents (incl. stock & equipment)`. */
function includes(header: string, part: string): boolean {
  const [, names = ''] = INCLUDING.exec(header) ?? []
  const single = names.split(/[,/&+]|\band\b/i)
  return [names, ...single].some((name) => {
    const words = normalizeHeader(name.replace(/[()]/g, ' '))
    return scoreHeader(words).some(({ target, score }) => target === part && score >= NAMED_MIN)
  })
}
const NAMED_MIN = 0.9
