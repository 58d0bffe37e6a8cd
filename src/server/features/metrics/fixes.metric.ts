import { sql } from 'kysely'
import { checkById, isCheckId, type CheckId } from '#contract/checks.ts'
import { formatNumber, plural } from '#contract/format.ts'
import { FIXES_SHOWN } from '#contract/limits.ts'
import type { Metric } from '#contract/metrics.ts'
import { inWork } from '#server/access/account-attention.ts'
import { visibleRegister } from '#server/access/account-properties.ts'
import { PAIR_CHECK, otherOfPair, seesDiscrepancies } from '#server/access/discrepancies.ts'
import type { Context } from '#server/engines/context.ts'
import { chartOf } from './chart.ts'
import { propertiesAction } from './properties.metric.ts'

interface Fix {
  account_id: string
  account: string
  currency: string | null
  /** How many of the viewer's accounts have fixes in this currency. */
  accounts: number
  check_id: string
  properties: number
  value: number
  findings: number
  widespread: boolean
  /** Distinct texts of the source; a property without one counts as one of its own. */
  texts: number
  /** Whether all properties have a text of the source. */
  all_texts: boolean
  /** Whether the field of each discrepancy is empty. */
  empty: boolean
  /** The field of all discrepancies; null if they have several, or none. */
  field: string | null
}

/** Decisions since the last run can leave nothing of a candidate. */
const CANDIDATES = 3 * FIXES_SHOWN

/**
 * What improves the accounts in work most: one row for each account and check, the largest value at stake first. Only accounts whose
 * check is of their present values have rows. Values of several currencies are not compared: the rows are grouped by currency.
 */
export async function accountsFixes(ctx: Context): Promise<Metric> {
  const rows = seesDiscrepancies(ctx.viewer) ? await readFixes(ctx) : []
  const fixes = byCurrency(rows)
  return {
    ...chartOf('Next best fixes', 'checklist', []),
    empty: fixes.length === 0 && seesDiscrepancies(ctx.viewer) ? await nothingText(ctx) : '',
    total: fixes.length,
    counts: fixes.flatMap((fix) => present(ctx, fix)),
  }
}

/** Without fixes: what this says about accounts that are checked, and about those that are not. */
async function nothingText({ db, viewer }: Context): Promise<string> {
  const { rows } = await sql<{ checked: number; waiting: number }>`SELECT count(*) FILTER (WHERE s.checked_at IS NOT NULL)::int AS checked,
      count(*) FILTER (WHERE s.checked_at IS NULL)::int AS waiting
    FROM accounts JOIN account_totals t ON t.account_id = accounts.id AND t.active_properties > 0
      LEFT JOIN check_states s ON s.account_id = accounts.id AND s.checked = s.requested
    WHERE accounts.deleted_at IS NULL AND ${visibleRegister(viewer, 'accounts.id')} AND ${inWork}`.execute(db)
  const { checked, waiting } = rows[0] ?? { checked: 0, waiting: 0 }
  if (checked + waiting === 0) return 'No account has properties yet.'
  const wait = `${plural(waiting, 'account')} ${waiting === 1 ? 'waits' : 'wait'} to be checked.`
  if (checked === 0) return `Not known yet: ${wait}`
  const done = `Nothing to fix in ${checked === 1 ? 'the account that is' : `the ${plural(checked, 'account')} that are`} checked.`
  return waiting === 0 ? done : `${done} ${wait}`
}

/** The hints keep the planner from reading the states of all accounts, or all properties of an account, for a few rows. */
async function readFixes({ db, viewer }: Context): Promise<Fix[]> {
  const findings = sql`SELECT d.property_id, d.widespread, d.field, d.left_value, false AS mirrored FROM discrepancies d
      WHERE d.account_id = c.account_id AND d.check_id = c.check_id AND d.status = 'open'
    UNION ALL SELECT ${otherOfPair()}, d.widespread, d.field, d.left_value, true FROM discrepancies d
      WHERE c.check_id = ${PAIR_CHECK} AND d.account_id = c.account_id AND d.check_id = c.check_id AND d.status = 'open'`
  const { rows } = await sql<Fix>`WITH seen AS MATERIALIZED (
      SELECT accounts.id, accounts.name FROM accounts
      WHERE accounts.deleted_at IS NULL AND ${visibleRegister(viewer, 'accounts.id')} AND ${inWork}),
    stored AS MATERIALIZED (
      SELECT seen.id AS account_id, seen.name AS account, t.currency, v.key AS check_id, v.value::bigint AS value
      FROM seen
      JOIN check_states s ON s.account_id = seen.id AND s.checked = s.requested AND s.checked_at IS NOT NULL
      JOIN account_totals t ON t.account_id = seen.id
      CROSS JOIN LATERAL jsonb_each_text(s.value_by_check) v),
    candidates AS (
      SELECT largest.* FROM (SELECT DISTINCT currency FROM stored) k CROSS JOIN LATERAL (SELECT * FROM stored
        WHERE stored.currency IS NOT DISTINCT FROM k.currency ORDER BY value DESC, account_id, check_id LIMIT ${CANDIDATES}) largest)
    SELECT c.account_id, c.account, c.currency, c.check_id,
      (SELECT count(DISTINCT s.account_id)::int FROM stored s WHERE s.currency IS NOT DISTINCT FROM c.currency) AS accounts, o.*
    FROM candidates c CROSS JOIN LATERAL (
      SELECT count(*)::int AS properties, coalesce(sum(p.tiv), 0)::bigint AS value, coalesce(sum(d.findings), 0)::int AS findings,
        coalesce(bool_or(d.widespread), false) AS widespread, coalesce(bool_and(d.empty), false) AS empty,
        CASE WHEN min(d.field_from) = max(d.field_to) THEN min(d.field_from) END AS field,
        (count(DISTINCT coalesce(p.text, p.id::text)))::int AS texts, coalesce(bool_and(p.text IS NOT NULL), false) AS all_texts
      FROM (SELECT property_id, count(*) FILTER (WHERE NOT mirrored) AS findings, bool_or(widespread) AS widespread,
          min(field) AS field_from, max(field) AS field_to, bool_and(left_value->>'value' IS NULL) AS empty FROM (${findings}) each GROUP BY property_id OFFSET 0) d
      JOIN LATERAL (SELECT p.id, p.tiv,
          nullif(CASE c.check_id WHEN 'DQ-03' THEN p.construction_original ELSE p.occupancy_original END, '') AS text
        FROM account_properties p
        WHERE p.id = d.property_id AND p.account_id = c.account_id AND p.status = 'active' AND p.deleted_at IS NULL) p ON true) o
    WHERE o.properties > 0`.execute(db)
  return rows
}

/**
 * The currency of most accounts first, values in several currencies last, and the largest value first in each. Each currency has at least
 * one row, since its accounts could not be compared with the others.
 */
function byCurrency(rows: readonly Fix[]): Fix[] {
  const groups = [...Map.groupBy(rows, ({ currency }) => currency)].toSorted(
    ([one, [first]], [other, [second]]) =>
      Number(one === null) - Number(other === null) ||
      (second?.accounts ?? 0) - (first?.accounts ?? 0) ||
      (one ?? '').localeCompare(other ?? ''),
  )
  const shown: Fix[] = []
  for (const [index, [, group]] of groups.entries()) {
    const others = groups.length - index - 1
    const room = FIXES_SHOWN - shown.length
    const largest = group.toSorted((one, other) => other.value - one.value || one.account.localeCompare(other.account))
    shown.push(...largest.slice(0, Math.max(Math.min(1, room), room - others)))
  }
  return shown
}

function present(ctx: Context, fix: Fix): Metric['counts'] {
  const { account_id: accountId, account, currency, check_id: check, properties, value, widespread } = fix
  if (!isCheckId(check)) return []
  const answers = widespread ? 1 : answersOf(check, fix)
  return [
    {
      id: `${accountId} ${check}`,
      name: widespread ? FOR_ALL[check](fix) : FOR_SOME[check](fix),
      count: properties,
      value_at_stake: currency === null ? null : value || null,
      action: propertiesAction(ctx, accountId, { filter__discrepancy: checkById(check).filter }),
      fix: { account, currency, answers, unit: widespread ? 'request' : 'answer' },
    },
  ]
}

/** Equal texts of the source have one answer. */
const answersOf = (check: CheckId, { texts, findings }: Fix): number => (check === 'DQ-03' || check === 'DQ-06' ? texts : findings)

type Text = (fix: Fix) => string
const counted =
  (verb: string, one: string, many?: string): Text =>
  ({ findings }) =>
    `${verb} ${plural(findings, one, many)}`
const codes =
  (one: string, many: string, of: string): Text =>
  ({ texts, all_texts, properties }) =>
    all_texts ? `Classify ${plural(texts, one, many)}` : `Classify the ${of} of ${plural(properties, 'property', 'properties')}`

/** What is said of values without a date, of old ones, of those whose basis is not known, and of several of these. */
const ofValuation = (
  { field, empty }: Pick<Fix, 'field' | 'empty'>,
  texts: Readonly<Record<'date' | 'values' | 'basis' | 'both', string>>,
): string => {
  if (field === null) return texts.both
  if (field === 'valuation_basis') return texts.basis
  return empty ? texts.date : texts.values
}

/** What to do about single properties. */
const FOR_SOME: Record<CheckId, Text> = {
  'DQ-01': counted('Complete', 'address', 'addresses'),
  'DQ-02': counted('Correct', 'state or ZIP', 'states or ZIPs'),
  'DQ-03': codes('construction code', 'construction codes', 'construction'),
  'DQ-04': counted('Find', 'year built', 'years built'),
  'DQ-05': counted('Find', 'building size'),
  'DQ-06': codes('occupancy', 'occupancies', 'occupancy'),
  'DQ-07': counted('Clarify', 'sprinkler protection'),
  'DQ-08': counted('Verify', 'location'),
  'DQ-09': counted('Decide', 'likely duplicate'),
  'DQ-10': counted('Ask for', 'missing value'),
  'DQ-11': counted('Confirm', 'value per sq ft', 'values per sq ft'),
  'DQ-13': counted('Resolve', 'contradiction'),
  'DQ-14': counted('Explain', 'stated total'),
  'DQ-15': ({ findings, ...fix }) =>
    ofValuation(fix, {
      date: `Give ${plural(findings, 'value')} a date`,
      values: `Update ${plural(findings, 'valuation')}`,
      basis: `Confirm the basis of ${plural(findings, 'value')}`,
      both: `Confirm date and basis of ${plural(findings, 'value')}`,
    }),
  'DQ-16': counted('Confirm', 'repeated value'),
  'DQ-17': counted('Settle', 'underinsured building'),
  'DQ-18': counted('Confirm', 'concentration'),
}

const same = (text: string) => () => text
/** What to do if most properties have the same problem. */
const FOR_ALL: Record<CheckId, Text> = {
  'DQ-01': same('Ask for complete addresses'),
  'DQ-02': same('Check the state and ZIP columns'),
  'DQ-03': same('Ask for the construction column'),
  'DQ-04': same('Ask for the year built column'),
  'DQ-05': same('Ask for stories and floor areas'),
  'DQ-06': same('Ask for the occupancy column'),
  'DQ-07': same('Ask for the sprinkler column'),
  'DQ-08': same('Geocode the addresses'),
  'DQ-09': ({ properties }) => `Check ${formatNumber(properties)} entries for duplicates`,
  'DQ-10': same('Ask for the insured values'),
  'DQ-11': same('Check the units of values and areas'),
  'DQ-13': same('Check for mixed-up columns'),
  'DQ-14': same('Check for a missing value column'),
  'DQ-15': (fix) =>
    ofValuation(fix, {
      date: 'Give the values a date',
      values: 'Ask for current values',
      basis: 'Confirm the basis of the values',
      both: 'Ask for date and basis of the values',
    }),
  'DQ-16': same('Confirm the repeated values'),
  'DQ-17': same('Ask about the appraised values'),
  'DQ-18': same('Confirm the concentration'),
}
