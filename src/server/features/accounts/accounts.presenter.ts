import { sql, type RawBuilder } from 'kysely'
import { ACCOUNT_TYPES, knownTiv, type Account, type AccountRow } from '#contract/accounts.ts'
import { shareAddress } from '#contract/guests.ts'
import { ownsAccount, seesDetails, seesNumbers, seesStatus } from '#server/access/accounts.ts'
import { can, timezoneOf, viaOf, viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { dateCell, labelCell, moneyCell, plainDateCell, textCell, wholeCell } from '#server/engines/datatable/cells.ts'
import type { Unmarked } from '#server/engines/datatable/define-datatable.ts'
import { readRows } from '#server/engines/datatable/page-statement.ts'
import { fileTotals, registerTotals } from '#server/engines/metric/visible-totals.ts'
import { openLinkToken } from '#server/engines/secrets/link-tokens.ts'
import { logoUrl } from '../companies/logos.commands.ts'
import { ownInvitation } from './own-invitation.queries.ts'
import { visibleFileTotals, visiblePropertyTotals, type AccountRecord, type AccountSummary } from './accounts.queries.ts'

/** Shown to those who share the account, while it is shared. */
function shareLink({ viewer, config }: Context, record: AccountRecord): string | null {
  if (!record.sharing_enabled || record.share_sealed === null) return null
  if (!can(viewer, 'update_account_sharing') || !ownsAccount(viewer, record)) return null
  return `${config.appUrl}${shareAddress(record.id, openLinkToken(config.secretKey, record.share_sealed))}`
}

const party = (id: string | null, name: string | null) => (name === null ? null : { id, name })

export async function presentAccount(ctx: Context, record: AccountRecord) {
  const { viewer } = ctx
  const isForeign = viaOf(viewer) !== undefined
  const properties = visiblePropertyTotals(viewer, record)
  const statuses = seesStatus(viewer, record.type) ? record.statuses : []
  return {
    ...record,
    account_number: seesNumbers(viewer) ? record.account_number : null,
    meta: seesDetails(viewer) ? record.meta : [],
    ...(isForeign ? { sharing_enabled: false, send_new_files_notification: false } : {}),
    statuses,
    name: textCell(record.name),
    status: statuses.find(({ id }) => id === record.status_id) ?? null,
    users: record.type === 'standard' && !isForeign ? record.users : undefined,
    properties: properties.active,
    divested_properties: properties.divested,
    tiv: properties.tiv,
    currency: properties.currency,
    files: visibleFileTotals(viewer, record),
    share_link: shareLink(ctx, record),
    active_invite: can(viewer, 'view_account_invites') && !isForeign ? record.has_invite : null,
    ...(await ownInvitation(ctx)),
    broker: can(viewer, 'view_account_broker') ? party(record.broker_company_id, record.broker_name) : null,
    carrier: can(viewer, 'view_account_carrier') ? party(record.carrier_company_id, record.carrier_name) : null,
    managed_by: record.managed_by ?? ctx.config.product.provider,
    created_by:
      record.created_by === null || isForeign
        ? null
        : { id: record.created_by, full_name: record.creator_name ?? '', email: record.creator_email ?? '' },
    company: { id: record.company_id, name: record.company_name, logo_url: logoUrl(record.company_logo_id) },
  }
}

type StatusState = NonNullable<Account['status']>['state']
type ListedAccount = AccountSummary & { status_state: StatusState }

/** Reads only what a row shows: the list has to be fast. */
function listed({ viewer }: Context, ids: RawBuilder<unknown>): RawBuilder<ListedAccount> {
  const me = viewerId(viewer)
  return sql<ListedAccount>`SELECT a.id, a.name, a.account_number, a.company_id, c.name AS company_name, a.type, s.name AS status_name, s.color AS status_color, s.state AS status_state,
      a.effective_date, r.*, k.*,
      f.user_id IS NOT NULL AS favorite, a.created_at, a.updated_at, a.deleted_at
    FROM accounts a
    JOIN companies c ON c.id = a.company_id
    JOIN account_totals t ON t.account_id = a.id
    CROSS JOIN LATERAL (${registerTotals(viewer)}) r
    CROSS JOIN LATERAL (${fileTotals(viewer)}) k
    LEFT JOIN statuses s ON s.id = a.status_id
    LEFT JOIN account_favorites f ON f.account_id = a.id AND f.user_id = ${me}
    WHERE a.id = ANY(${ids})`
}

function presentRow(ctx: Context, row: ListedAccount): Unmarked<AccountRow> {
  const zone = timezoneOf(ctx.viewer)
  const properties = visiblePropertyTotals(ctx.viewer, row)
  return {
    id: row.id,
    deleted_at: row.deleted_at?.toISOString() ?? null,
    favorite: row.favorite,
    name: textCell(row.name),
    account_number: textCell(seesNumbers(ctx.viewer) ? row.account_number : null),
    company: textCell(row.company_name),
    status: seesStatus(ctx.viewer, row.type) ? statusCell(row) : textCell(null),
    type: labelCell(row.type, ACCOUNT_TYPES),
    properties: wholeCell(properties.active),
    tiv: moneyCell(knownTiv(properties.active, properties.tiv), properties.currency),
    currency: properties.currency,
    documents: wholeCell(visibleFileTotals(ctx.viewer, row)?.total ?? null),
    effective_date: plainDateCell(row.effective_date),
    created_at: seesNumbers(ctx.viewer) ? dateCell(row.created_at, zone) : textCell(null),
    updated_at: seesNumbers(ctx.viewer) ? dateCell(row.updated_at, zone) : textCell(null),
  }
}

const statusCell = (row: ListedAccount): AccountRow['status'] => ({
  ...textCell(row.status_name),
  ...(row.status_color === null ? {} : { class: row.status_color }),
  ...(row.type === 'managed' ? { state: row.status_state } : {}),
})

export const accountRows = readRows(listed, presentRow)
