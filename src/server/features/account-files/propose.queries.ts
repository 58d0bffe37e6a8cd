import { sql, type SqlBool } from 'kysely'
import { DOCUMENT_CATEGORIES } from '#contract/document-categories.ts'
import { namesSpreadsheet, suggestCategory, type NewDocument } from '#contract/document-proposals.ts'
import { visibleProperties } from '#server/access/account-properties.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { cluesOf, matchProperties } from './match-properties.ts'

/** A document to propose a category for. */
interface StoredUpload extends NewDocument {
  key: string
  size: number
}

/** The category by name, type and, for a spreadsheet, its columns. */
export async function proposeCategory(ctx: Context, { key, size, ...document }: StoredUpload) {
  if (!namesSpreadsheet(document)) return suggestCategory({ ...document, isSchedule: false })
  const { isSchedule } = await import('../imports/recognize-schedule.commands.ts')
  return suggestCategory({ ...document, isSchedule: await isSchedule(ctx, key, size) })
}

/** More candidates than this are too many for one document to mean one of them. */
const CANDIDATES_MAX = 500

/** The properties that the path of a document names (see `matchProperties`), for users who can link it. */
export async function proposeProperties(ctx: Context, accountId: string, path: string, category: keyof typeof DOCUMENT_CATEGORIES) {
  const mayLink = can(ctx.viewer, 'update_account_files') && can(ctx.viewer, 'view_account_properties')
  if (!mayLink || DOCUMENT_CATEGORIES[category].linkedTo === 'account') return []
  const clues = cluesOf(path)
  const compact = clues.words.replaceAll(' ', '')
  const candidates = await ctx.db
    .selectFrom('account_properties')
    .innerJoin('accounts', 'accounts.id', 'account_properties.account_id')
    .select(['account_properties.id', 'location_number', 'building_number', 'property_name', 'accounts.name as account_name'])
    .select(['address', 'address_2', 'city', 'state', 'postal_code', 'country'])
    .where('account_properties.account_id', '=', accountId)
    .where('account_properties.deleted_at', 'is', null)
    .where('account_properties.status', '=', 'active')
    .where(visibleProperties(ctx.viewer))
    .where(
      sql<SqlBool>`(ltrim(upper(location_number), '0') = ${clues.location}
        OR substring(address FROM '\\d+') = ANY(${clues.numbers}::text[])
        OR (length(property_name) > 3 AND position(regexp_replace(lower(property_name), '[^a-z0-9]+', '', 'g') IN ${compact}) > 0)
        OR (${clues.location}::text IS NULL AND ltrim(upper(building_number), '0') = ${clues.building}))`,
    )
    .orderBy('location_number')
    .orderBy('building_number')
    .limit(CANDIDATES_MAX)
    .execute()
  return candidates.length === CANDIDATES_MAX ? [] : matchProperties(clues, candidates, candidates[0]?.account_name ?? '')
}
