import { sql, type RawBuilder } from 'kysely'
import { ACCOUNT_TYPES, type AccountRow } from '#contract/accounts.ts'
import { timezoneOf, viewerId } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { dateCell, labelCell, moneyCell, plainDateCell, textCell, wholeCell } from '#server/engines/datatable/cells.ts'
import { readRows } from '#server/engines/datatable/page-statement.ts'
import { fileTotals, visibleFileTotals, visiblePropertyTotals, type FileTotals } from './visible-totals.ts'

interface Listed extends FileTotals {
  id: string
  name: string
  account_number: string | null
  company_id: string
  company_name: string
  type: 'standard' | 'managed'
  status_name: string | null
  status_color: string | null
  effective_date: string | null
  active_properties: number
  divested_properties: number
  tiv: number
  favorite: boolean
  opened: boolean
  created_by: string | null
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}

function listed({ viewer }: Context, ids: RawBuilder<unknown>): RawBuilder<Listed> {
  const me = viewerId(viewer)
  return sql<Listed>`SELECT a.id, a.name, a.account_number, a.company_id, c.name AS company_name, a.type, s.name AS status_name, s.color AS status_color,
      a.effective_date, t.active_properties, t.divested_properties, t.tiv, k.*,
      f.user_id IS NOT NULL AS favorite, v.user_id IS NOT NULL AS opened, a.created_by, a.created_at, a.updated_at, a.deleted_at
    FROM accounts a
    JOIN companies c ON c.id = a.company_id
    JOIN account_totals t ON t.account_id = a.id
    CROSS JOIN LATERAL (${fileTotals(viewer)}) k
    LEFT JOIN statuses s ON s.id = a.status_id
    LEFT JOIN account_favorites f ON f.account_id = a.id AND f.user_id = ${me}
    LEFT JOIN account_views v ON v.account_id = a.id AND v.user_id = ${me}
    WHERE a.id = ANY(${ids})`
}

function presentRow(ctx: Context, row: Listed): AccountRow {
  const zone = timezoneOf(ctx.viewer)
  const properties = visiblePropertyTotals(ctx.viewer, row)
  return {
    id: row.id,
    deleted_at: row.deleted_at?.toISOString() ?? null,
    is_new: isNew(ctx, row),
    favorite: row.favorite,
    name: textCell(row.name),
    account_number: textCell(row.account_number),
    company: textCell(row.company_name),
    status: { value: row.status_name, text: row.status_name ?? '', ...(row.status_color === null ? {} : { class: row.status_color }) },
    type: labelCell(row.type, ACCOUNT_TYPES),
    properties: wholeCell(properties.active),
    tiv: moneyCell(properties.tiv),
    documents: wholeCell(visibleFileTotals(ctx.viewer, row).total),
    effective_date: plainDateCell(row.effective_date),
    created_at: dateCell(row.created_at, zone),
    updated_at: dateCell(row.updated_at, zone),
  }
}

/** Created by another user since the viewer's previous sign-in, and not opened yet. */
function isNew(ctx: Context, row: Pick<Listed, 'created_by' | 'created_at' | 'opened'>): boolean {
  if (ctx.viewer.kind !== 'user' || ctx.viewer.previousLoginAt === null || row.opened) return false
  return row.created_by !== ctx.viewer.userId && row.created_at > ctx.viewer.previousLoginAt
}

export const accountRows = readRows(listed, presentRow)
