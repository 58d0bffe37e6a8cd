import { sql, type Expression, type SqlBool } from 'kysely'
import { optionsOf } from '#contract/form.ts'
import { equalsId } from '#server/access/scope.ts'
import type { Context } from '../context.ts'
import type { FilterDefinition } from './define-datatable.ts'

const YES_NO: Readonly<Record<string, boolean>> = { '1': true, true: true, '0': false, false: false }
/** The value of a yes/no filter; undefined for a value that is neither. */
export const yesOrNo = (value: string): boolean | undefined => (Object.hasOwn(YES_NO, value) ? YES_NO[value] : undefined)

/** For a filter by a known list of values: no condition unless all of them are in the list. */
export const ifKnown =
  (isKnown: (value: string) => boolean, where: FilterDefinition['where']): FilterDefinition['where'] =>
  (value, values, ctx) =>
    values.length > 0 && values.every((one) => isKnown(one)) ? where(value, values, ctx) : undefined

/** Rows with this id in the column, none for a malformed id; used by links and screens, not in the menu. */
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
  where: ifKnown((value) => Object.hasOwn(labels, value), isAnyOf(column)),
})

/** Rows that fulfill the condition, or all others. */
export const yesNoFilter = (label: string, condition: (ctx: Context) => Expression<SqlBool>): FilterDefinition => ({
  label,
  type: 'boolean',
  where: (value, _values, ctx) => {
    const yes = yesOrNo(value)
    return yes === undefined ? undefined : yes ? condition(ctx) : sql<SqlBool>`NOT ${condition(ctx)}`
  },
})

const DATE = /^\d{4}-\d{2}-\d{2}$/
/** Whether a calendar has this date: February 30 is none, and PostgreSQL has no year 0. */
const isDate = (text: string) =>
  DATE.test(text) && !text.startsWith('0000') && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text)

/** A calendar date between two dates, both included; either can be missing. The value is "from..to". */
export const dateRangeFilter = (label: string, column: string): FilterDefinition => ({
  label,
  type: 'date_range',
  where: (value) => {
    const ends = value.split('..')
    const isRange = ends.length <= 2 && ends.some(isDate) && ends.every((date) => date === '' || isDate(date))
    if (!isRange) return undefined
    const limits = ends.flatMap((date, at) => (date === '' ? [] : [sql`${sql.ref(column)} ${at === 0 ? sql`>=` : sql`<=`} ${date}::date`]))
    return sql<SqlBool>`(${sql.join(limits, sql` AND `)})`
  },
})

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?Z$/

/** Rows of which something happened after a moment, for links that say what is new since then. */
export const sinceFilter = (label: string, condition: (moment: Expression<Date>) => Expression<SqlBool>): FilterDefinition => ({
  label,
  type: 'text',
  hidden: true,
  where: (value) =>
    INSTANT.test(value) && isDate(value.slice(0, 10)) && !Number.isNaN(Date.parse(value))
      ? condition(sql<Date>`${value}::timestamptz`)
      : undefined,
})
