import type { Account } from '#contract/accounts.ts'
import type { Context } from '#server/engines/context.ts'
import { textCell } from '#server/engines/datatable/cells.ts'
import { accountStatuses, type AccountRecord } from './accounts.queries.ts'
import { visibleFileTotals, visiblePropertyTotals } from './visible-totals.ts'

const party = (id: string | null, name: string | null) => (name === null ? null : { id, name })

export async function presentAccount(ctx: Context, record: AccountRecord) {
  const statuses = (await accountStatuses(ctx, record)) as Account['statuses'] // `state` is checked by the table
  const properties = visiblePropertyTotals(ctx.viewer, record)
  return {
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
    files: visibleFileTotals(ctx.viewer, record),
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
  }
}
