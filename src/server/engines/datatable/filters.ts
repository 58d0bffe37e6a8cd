import { sql, type Expression, type SqlBool } from 'kysely'
import { optionsOf } from '#contract/form.ts'
import { equalsId } from '#server/access/scope.ts'
import type { Context } from '../context.ts'
import type { FilterDefinition } from './define-datatable.ts'

/** Rows with this id in the column; used by links and screens, not in the menu. */
export const idFilter = (label: string, column: string): FilterDefinition => ({
  label,
  type: 'text',
  hidden: true,
  where: (value) => equalsId(column, value),
})

/** Whether the column has one of the chosen values. */
export const isAnyOf =
  (column: string): FilterDefinition['where'] =>
  (_value, values) =>
    sql<SqlBool>`${sql.ref(column)} = ANY(${values}::text[])`

/** A choice among codes with their labels. */
export const choiceFilter = (label: string, column: string, labels: Readonly<Record<string, string>>): FilterDefinition => ({
  label,
  type: 'multiselect',
  options: () => optionsOf(labels),
  where: isAnyOf(column),
})

/** Rows that fulfill the condition, or all others. */
export const yesNoFilter = (label: string, condition: (ctx: Context) => Expression<SqlBool>): FilterDefinition => ({
  label,
  type: 'boolean',
  where: (value, _values, ctx) => (value === '1' ? condition(ctx) : sql<SqlBool>`NOT ${condition(ctx)}`),
})

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

/**
 * A calendar date between two dates, both included; either can be missing. The value is "from..to". Compared
 * as text, in which a date that no calendar has, such as February 30, is no error.
 */
export const dateRangeFilter = (label: string, column: string): FilterDefinition => ({
  label,
  type: 'date_range',
  where: (value) => {
    const [from = '', to = ''] = value.split('..')
    const limits = [
      ...(DATE.test(from) ? [sql`${sql.ref(column)}::text >= ${from}`] : []),
      ...(DATE.test(to) ? [sql`${sql.ref(column)}::text <= ${to}`] : []),
    ]
    return limits.length === 0 ? undefined : sql<SqlBool>`(${sql.join(limits, sql` AND `)})`
  },
})
