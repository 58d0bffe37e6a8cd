import { sql, type Expression, type SqlBool } from 'kysely'
import { CHECKS, checkById, discrepancyGroup, type CheckId, type DiscrepancyGroupName } from '#contract/checks.ts'
import { PAIR_CHECK, notWidespread, ofCheck, ofGroup, ofSeverity } from '#server/access/discrepancies.ts'

/** A number of properties with an open finding of a kind. */
export interface Kind {
  key: string
  label: string
  help: string
  /** The findings of the kind; the filter opens the properties that have one. */
  where: Expression<SqlBool>
  filter: readonly [name: string, value: string]
  ofBoth?: boolean
}

export const DISCREPANCIES: Kind = {
  key: 'discrepancies',
  label: 'Properties with discrepancies',
  help: 'Open discrepancies.',
  where: notWidespread(),
  filter: ['has_discrepancy', '1'],
  ofBoth: true,
}
/** The same while there are sentences about the schedule, whose discrepancies are not counted. */
const OWN_DISCREPANCIES: Kind = {
  ...DISCREPANCIES,
  label: 'Properties with discrepancies of their own',
  help: 'Open discrepancies, apart from those of the whole schedule.',
}
const CRITICAL: Kind = {
  key: 'critical',
  label: 'Critical',
  help: 'Discrepancies that should be resolved before the submission goes out.',
  where: ofSeverity(['critical']),
  filter: ['severity', 'critical'],
}

type HelpOf = (checks: readonly CheckId[]) => string

/** What is missing when a check of the group "incomplete" finds something. */
const MISSING_DATA: Readonly<Partial<Record<CheckId, string>>> = {
  'DQ-01': 'location',
  'DQ-03': 'construction',
  'DQ-04': 'construction',
  'DQ-05': 'construction',
  'DQ-06': 'occupancy',
  'DQ-07': 'protection',
  'DQ-10': 'value',
}

function incompleteHelp(checks: readonly CheckId[]): string {
  const kinds = [...new Set(checks.flatMap((check) => MISSING_DATA[check] ?? []))]
  const others = kinds.slice(0, -1).join(', ')
  return `Core ${others === '' ? '' : `${others} or `}${kinds.at(-1) ?? ''} data is missing`
}

/** A group without the checks that are one sentence about the schedule; undefined if nothing is left of it. */
function groupKind(name: DiscrepancyGroupName, helpOf: HelpOf, widespread: ReadonlySet<string>): Kind | undefined {
  const { checks, label } = discrepancyGroup(name)
  const single = checks.filter((check) => !widespread.has(check))
  if (single.length === 0) return undefined
  if (single.length === checks.length)
    return { key: name, label, help: `${helpOf(single)}.`, where: ofGroup(name), filter: ['discrepancy_group', name] }
  const help = `${helpOf(single)}, apart from what is said of the whole schedule.`
  const where = sql<SqlBool>`(${ofGroup(name)} AND d.check_id = ANY(${single}::text[]))`
  return { key: name, label, help, where, filter: ['discrepancy', single.map((check) => CHECKS[check].filter).join(',')] }
}

/** In the order in which they are shown. */
export function kindsOf(widespread: ReadonlySet<string>): Kind[] {
  const group = (name: DiscrepancyGroupName, help: HelpOf) => groupKind(name, help, widespread) ?? []
  const duplicates: Kind = {
    key: 'possible_duplicate',
    label: 'Possible duplicates',
    help: 'Two entries may be the same building.',
    where: ofCheck(PAIR_CHECK),
    filter: ['discrepancy', checkById(PAIR_CHECK).filter],
    ofBoth: true,
  }
  return [
    widespread.size > 0 ? OWN_DISCREPANCIES : DISCREPANCIES,
    CRITICAL,
    group('incomplete', incompleteHelp),
    group('location', () => 'Address and map position are missing, coarse or contradictory'),
    group('values', () => 'Values look too high, too low or do not add up'),
    widespread.has(PAIR_CHECK) ? [] : duplicates,
    group('valuation', () => 'No valuation within the last 36 months'),
  ].flat()
}
