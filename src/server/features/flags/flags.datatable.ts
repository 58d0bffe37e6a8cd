import { sql, type Expression, type SqlBool } from 'kysely'
import { CHECKS, CHECK_IDS, isCheckId } from '#contract/checks.ts'
import {
  ALL_FLAG_REASONS,
  FLAG_DUE,
  FLAG_ORIGINS,
  FLAG_PRIORITIES,
  FLAG_STATUSES,
  type FlagDue,
  type FlagOrigin,
  type FlagRow,
} from '#contract/flags.ts'
import { optionsOf } from '#contract/form.ts'
import { isoDateIn } from '#contract/format.ts'
import { isAutomaticFlag, isOpenFlag, visibleFlags } from '#server/access/flags.ts'
import { visibleAccounts } from '#server/access/accounts.ts'
import { equalsAnyId } from '#server/access/scope.ts'
import { timezoneOf, viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { dateCell, labelCell, plainDateCell, textCell } from '#server/engines/datatable/cells.ts'
import { defineDatatable, type ActionDefinition, type Unmarked } from '#server/engines/datatable/define-datatable.ts'
import { choiceFilter, dateRangeFilter, idFilter, ifKnown, yesNoFilter } from '#server/engines/datatable/filters.ts'
import { changeFlags } from './change-flags.commands.ts'
import { loadFlags, presentFlag, targetOf, type FlagRecord } from './flags.queries.ts'

const column = (name: string) => sql.ref(`flags.${name}`)
const user = (name: string) => sql`(SELECT full_name FROM users WHERE users.id = ${column(name)})`

const today = ({ clock, viewer }: Context): string => isoDateIn(clock.now(), timezoneOf(viewer))

const presentRow = (ctx: Context, record: FlagRecord): Unmarked<FlagRow> => {
  const isOverdue = record.closed_at === null && record.due_on !== null && record.due_on < today(ctx)
  return {
    id: record.id,
    account_id: record.account_id,
    deleted_at: null,
    message: textCell(record.message),
    account: textCell(record.account_name),
    record: textCell(targetOf(record).title),
    reason: labelCell(record.reason, ALL_FLAG_REASONS),
    priority: labelCell(record.priority, FLAG_PRIORITIES),
    status: labelCell(record.status, FLAG_STATUSES),
    assigned_to: textCell(record.assignee_name),
    due_on: { ...plainDateCell(record.due_on), ...(isOverdue ? { class: 'overdue' } : {}) },
    raised_by: textCell(record.source === 'system' ? ctx.config.product.name : record.raiser_name),
    created_at: dateCell(record.created_at, timezoneOf(ctx.viewer)),
    flag: presentFlag(ctx, record),
  }
}

/** More accounts than a user chooses from in a menu. */
const ACCOUNTS_OFFERED = 500

/** The accounts in which the viewer sees a flag. */
const accountOptions = ({ db, viewer }: Context) =>
  db
    .selectFrom('accounts')
    .select(['id as value', 'name as label'])
    .where('deleted_at', 'is', null)
    .where(visibleAccounts(viewer))
    .where(sql<SqlBool>`EXISTS (SELECT 1 FROM flags WHERE flags.account_id = accounts.id AND ${visibleFlags(viewer)})`)
    .orderBy('name')
    .orderBy('id')
    .limit(ACCOUNTS_OFFERED)
    .execute()

function isDue(ctx: Context, due: string): Expression<SqlBool> {
  const until = (days: number) => sql<SqlBool>`flags.due_on BETWEEN ${today(ctx)}::date AND ${today(ctx)}::date + ${days}::int`
  const conditions: Readonly<Record<FlagDue, Expression<SqlBool>>> = {
    overdue: sql<SqlBool>`(flags.due_on < ${today(ctx)}::date AND ${isOpenFlag()})`,
    week: until(7),
    month: until(30),
    none: sql<SqlBool>`flags.due_on IS NULL`,
  }
  return conditions[due as FlagDue] // the filter accepts only these values
}

const ORIGINS: Readonly<Record<FlagOrigin, Expression<SqlBool>>> = {
  people: sql<SqlBool>`NOT ${isAutomaticFlag()}`,
  system: isAutomaticFlag(),
}

/** The checks that can find something critical; the others raise no flags. */
const FLAGGING_CHECKS = CHECK_IDS.filter((id) => Object.values(CHECKS[id].severity).some((severity) => severity === 'critical'))

const textPrompt = (message: string) => ({ type: 'text', name: 'resolution', message }) as const

const ACTIONS: Readonly<Record<string, ActionDefinition>> = {
  acknowledge: { label: 'Acknowledge', can: 'manage_flags', run: (ctx, ids) => changeFlags(ctx, ids, { status: 'acknowledged' }) },
  resolve: {
    label: 'Resolve',
    undo: 'reopen',
    can: 'manage_flags',
    prompt: textPrompt('How was it resolved?'),
    run: (ctx, ids, input) => changeFlags(ctx, ids, { ...input, status: 'resolved' }),
  },
  dismiss: {
    label: 'Dismiss',
    undo: 'reopen',
    can: 'manage_flags',
    prompt: textPrompt('Why is it dismissed?'),
    run: (ctx, ids, input) => changeFlags(ctx, ids, { ...input, status: 'dismissed' }),
  },
  reopen: { label: 'Reopen', can: 'manage_flags', run: (ctx, ids) => changeFlags(ctx, ids, { status: 'open' }) },
}

/** The list of flags, of one record or of all accounts. */
export const flagDatatable = defineDatatable<FlagRow>({
  model: 'flags',
  hasTrash: false,
  visible: visibleFlags,
  canSearch: 'view_account_properties_datatable_search',
  dependsOn: ['flags', 'account_properties', 'account_files', 'risk_control'],
  // A flag becomes overdue.
  dependsOnDate: true,
  accountColumn: 'account_id',
  columns: {
    message: { label: 'Message', primary: true, width: 202, sort: { by: column('message') } },
    account: { label: 'Account', width: 150, sort: { by: sql`(SELECT name FROM accounts WHERE accounts.id = ${column('account_id')})` } },
    record: { label: 'About', width: 124 },
    reason: { label: 'Reason', width: 170, default: false, sort: { by: column('reason') } },
    priority: { label: 'Priority', width: 96, default: false, sort: { by: column('priority') } },
    status: { label: 'Status', width: 112, sort: { by: column('status') } },
    assigned_to: { label: 'Assigned to', width: 124, sort: { by: user('assigned_to'), nullsLast: true } },
    due_on: { label: 'Due', width: 136, sort: { by: column('due_on'), nullsLast: true } },
    raised_by: { label: 'Raised by', width: 112, sort: { by: user('raised_by'), nullsLast: true } },
    created_at: { label: 'Raised', width: 108, sort: { by: column('created_at') } },
  },
  defaultSort: { column: 'created_at', order: 'desc' },
  filters: {
    account_id: idFilter('Account', 'flags.account_id'),
    account: {
      label: 'Account',
      type: 'multiselect',
      options: accountOptions,
      where: (_value, values) => equalsAnyId('flags.account_id', values),
    },
    property_id: idFilter('Property', 'flags.property_id'),
    file_id: idFilter('Document', 'flags.file_id'),
    risk_control_id: idFilter('Risk control report', 'flags.risk_control_id'),
    open: { ...yesNoFilter('Open', () => isOpenFlag()), hidden: true },
    mine: yesNoFilter('Assigned to me', ({ viewer }) => sql`flags.assigned_to IS NOT DISTINCT FROM ${viewerId(viewer)}::uuid`),
    origin: {
      label: 'Raised',
      type: 'multiselect',
      options: () => optionsOf(FLAG_ORIGINS),
      where: ifKnown(
        (value) => Object.hasOwn(FLAG_ORIGINS, value),
        (_value, values) =>
          sql<SqlBool>`(${sql.join(
            values.map((origin) => ORIGINS[origin as FlagOrigin]), // the filter accepts only these values
            sql` OR `,
          )})`,
      ),
    },
    check: {
      label: 'Check',
      type: 'multiselect',
      options: () => FLAGGING_CHECKS.map((id) => ({ value: id, label: CHECKS[id].name })),
      where: ifKnown(isCheckId, (_value, values) => sql<SqlBool>`flags.checks && ${values}::text[]`),
    },
    status: choiceFilter('Status', 'flags.status', FLAG_STATUSES),
    due: {
      label: 'Due',
      type: 'multiselect',
      options: () => optionsOf(FLAG_DUE),
      where: ifKnown(
        (value) => Object.hasOwn(FLAG_DUE, value),
        (_value, values, ctx) =>
          sql<SqlBool>`(${sql.join(
            values.map((due) => isDue(ctx, due)),
            sql` OR `,
          )})`,
      ),
    },
    due_on: dateRangeFilter('Due date', 'flags.due_on'),
    reason: choiceFilter('Reason', 'flags.reason', ALL_FLAG_REASONS),
    priority: choiceFilter('Priority', 'flags.priority', FLAG_PRIORITIES),
  },
  actions: ACTIONS,
  rows: async (ctx, ids) => (await loadFlags(ctx, ids)).map((record) => presentRow(ctx, record)),
})
