import type { Account } from '#contract/accounts.ts'
import { accountRules } from '#server/access/accounts.ts'
import type { Context } from '#server/engines/context.ts'
import { textCell } from '#server/engines/datatable/cells.ts'
import { accountStatuses, type AccountRecord } from './accounts.queries.ts'
import { seenFiles } from './file-counts.ts'
import { seenProperties } from './property-totals.ts'

const party = (id: string | null, name: string | null) => (name === null ? null : { id, name })

/** The one bridge from the stored account to the wire. */
export async function presentAccount(ctx: Context, record: AccountRecord): Promise<Account> {
  const statuses = (await accountStatuses(ctx, record)) as Account['statuses'] // `state` is checked by the table
  const properties = seenProperties(ctx.viewer, record)
  return {
    id: record.id,
    name: textCell(record.name),
    account_number: record.account_number,
    type: record.type,
    status: statuses.find(({ id }) => id === record.status_id) ?? null,
    statuses,
    favorite: record.favorite,
    properties: properties.active,
    divested_properties: properties.divested,
    tiv: properties.tiv,
    users: record.users,
    files: seenFiles(ctx.viewer, record),
    share_link: null,
    sharing_enabled: record.sharing_enabled,
    show_vanity_by_default: record.show_vanity_by_default,
    send_new_files_notification: record.send_new_files_notification,
    file_retrieval_method: record.file_retrieval_method,
    broker: party(record.broker_company_id, record.broker_name),
    carrier: party(record.carrier_company_id, record.carrier_name),
    managed_by: record.managed_by ?? ctx.config.product.provider,
    created_by:
      record.created_by === null
        ? null
        : { id: record.created_by, full_name: record.creator_name ?? '', email: record.creator_email ?? '' },
    company: { id: record.company_id, name: record.company_name, logo_url: null },
    effective_date: record.effective_date,
    expiration_date: record.expiration_date,
    meta: record.meta,
    website: record.website,
    version: record.version,
    created_at: record.created_at.toISOString(),
    updated_at: record.updated_at.toISOString(),
    deleted_at: record.deleted_at?.toISOString() ?? null,
    accessible_features: accountRules(ctx.viewer, record),
  }
}
