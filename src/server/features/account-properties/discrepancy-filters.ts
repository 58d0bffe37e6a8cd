import { sql, type Expression, type SqlBool } from 'kysely'
import { CHECKS, DISCREPANCY_GROUPS, SEVERITIES, SEVERITY_LABELS, checkOfFilter, isDiscrepancyGroup } from '#contract/checks.ts'
import { ofCheck, ofGroup, ofSeverity, seesDiscrepancies } from '#server/access/discrepancies.ts'
import { FALSE, TRUE } from '#server/access/scope.ts'
import type { FilterDefinition } from '#server/engines/datatable/define-datatable.ts'

type Condition = Expression<SqlBool>

/** Properties with an open discrepancy `d` that matches the condition. */
const withOpen = (condition: Condition) => sql<SqlBool>`EXISTS (SELECT 1 FROM discrepancies d
  WHERE d.account_id = account_properties.account_id AND d.property_id = account_properties.id AND d.status = 'open' AND ${condition})`

const either = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? FALSE : sql<SqlBool>`(${sql.join([...conditions], sql` OR `)})`

/** For viewers who cannot see discrepancies the filter does not exist: it would reveal which properties have some. */
const ifVisible =
  (where: (values: readonly string[]) => Condition): FilterDefinition['where'] =>
  (_value, values, { viewer }) =>
    seesDiscrepancies(viewer) ? where(values) : undefined

/**
 * Filters of the properties list by open discrepancies. Several values mean any of them; an unknown value matches nothing. The
 * reconciliation metric counts with the same conditions, so that a count agrees with the list it opens.
 */
export const discrepancyFilters: Record<string, FilterDefinition> = {
  has_discrepancy: {
    label: 'Differences',
    type: 'boolean',
    options: () => [
      { value: '1', label: 'With differences' },
      { value: '0', label: 'Without differences' },
    ],
    where: ifVisible((values) => (values.includes('1') ? withOpen(TRUE) : sql<SqlBool>`NOT ${withOpen(TRUE)}`)),
  },
  discrepancy: {
    label: 'Difference',
    type: 'multiselect',
    options: () => Object.values(CHECKS).map(({ filter, name }) => ({ value: filter, label: name })),
    where: ifVisible((values) => withOpen(either(values.flatMap((value) => checkOfFilter(value) ?? []).map((check) => ofCheck(check))))),
  },
  discrepancy_group: {
    label: 'Kind of difference',
    type: 'multiselect',
    options: () => Object.entries(DISCREPANCY_GROUPS).map(([value, { label }]) => ({ value, label })),
    where: ifVisible((values) => withOpen(either(values.filter(isDiscrepancyGroup).map((group) => ofGroup(group))))),
  },
  severity: {
    label: 'Severity',
    type: 'multiselect',
    options: () => SEVERITIES.toReversed().map((value) => ({ value, label: SEVERITY_LABELS[value] })),
    where: ifVisible((values) => withOpen(ofSeverity(values))),
  },
}
