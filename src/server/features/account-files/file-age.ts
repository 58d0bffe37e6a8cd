import { sql, type Expression, type SqlBool } from 'kysely'
import { DOCUMENT_CATEGORIES, needsReportDate, type DocumentAge, type DocumentCategory } from '#contract/document-categories.ts'
import { isoDateIn } from '#contract/format.ts'
import { timezoneOf } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'

const codesWith = (condition: (category: DocumentCategory) => boolean) =>
  Object.entries(DOCUMENT_CATEGORIES).flatMap(([code, category]) => (condition(category) ? [code] : []))

/** The number of months for the category of a document, as SQL; NULL for categories without one. */
function monthsSql(name: 'staleAfterMonths' | 'criticalAfterMonths') {
  const cases = Object.entries(DOCUMENT_CATEGORIES).flatMap(([code, { [name]: months }]) =>
    months === null ? [] : [sql`WHEN ${sql.lit(code)} THEN ${sql.lit(months)}`],
  )
  return sql<number | null>`(CASE account_files.category ${sql.join(cases, sql` `)} END)`
}

const lastDay = (name: Parameters<typeof monthsSql>[0]) =>
  sql<string | null>`(account_files.report_author_date + make_interval(months => ${monthsSql(name)}))::date`

const isOneOf = (codes: readonly string[]) => sql<SqlBool>`account_files.category IN (${sql.join(codes.map((code) => sql.lit(code)))})`

const COUNTED_TO_EFFECTIVE_DATE = isOneOf(codesWith(({ countsToEffectiveDate }) => countsToEffectiveDate))
const NEEDS_DATE = isOneOf(codesWith(needsReportDate))
const EFFECTIVE_DATE = sql`(SELECT accounts.effective_date FROM accounts WHERE accounts.id = account_files.account_id)`

/** The last day on which a document is recent enough. */
export const currentUntil = sql<string | null>`CASE WHEN NOT ${COUNTED_TO_EFFECTIVE_DATE} THEN ${lastDay('staleAfterMonths')} END`

/** The age of a document on the present day of the viewer. */
export function ageOf({ clock, viewer }: Context) {
  const today = sql`${isoDateIn(clock.now(), timezoneOf(viewer))}::date`
  return sql<DocumentAge | null>`CASE
    WHEN account_files.report_author_date IS NULL THEN CASE WHEN ${NEEDS_DATE} THEN 'no_date' END
    WHEN ${COUNTED_TO_EFFECTIVE_DATE} THEN CASE WHEN ${EFFECTIVE_DATE} IS NULL THEN 'unknown'
      WHEN ${lastDay('staleAfterMonths')} < ${EFFECTIVE_DATE} THEN 'stale' ELSE 'current' END
    WHEN ${lastDay('criticalAfterMonths')} < ${today} THEN 'critical'
    WHEN ${lastDay('staleAfterMonths')} < ${today} THEN 'stale'
    WHEN ${lastDay('staleAfterMonths')} IS NOT NULL THEN 'current' END`
}

/** Whether a document has one of the ages. */
export const hasAge = (ctx: Context, ages: readonly DocumentAge[]): Expression<SqlBool> =>
  sql<SqlBool>`coalesce(${ageOf(ctx)} = ANY(${[...ages]}::text[]), false)`
