import { z } from 'zod'
import { DOCUMENT_CATEGORY_CODES } from '#contract/document-categories.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { dateAgo, type DemoContext, withPresentYears } from './demo-context.ts'
import { addDocument } from './documents.ts'
import { readTable } from './read-table.ts'
import type { StoredProperty } from './store-register.ts'
import { lossRun, statementOfValues } from './workbooks.ts'

const BusyDocument = z.object({
  name: z.string(),
  category: z.enum(DOCUMENT_CATEGORY_CODES),
  /** Its date, in days before today. */
  days: z.coerce.number(),
  author: z.string(),
  /** The number of properties it is about. */
  about: z.coerce.number(),
  flag: z.enum(['', 'private', 'provided_by_broker', 'covers_all_properties']),
  vanity_name: z.string(),
})

const EXPIRING_TREND = 1 / 1.05
/** The register of last year lacks the locations bought since. */
const BOUGHT_SINCE = 24

/** Adds the documents of the busy account: workbooks, PDF, photos, mail and text, linked, dated and flagged. */
export async function addBusyDocuments(
  demo: DemoContext,
  uploader: WriteContext,
  accountId: string,
  register: readonly StoredProperty[],
): Promise<void> {
  const { random, now } = demo
  const values = register.map((property) => property.values)
  const largest = register.toSorted((a, b) => (b.values.building_value ?? 0) - (a.values.building_value ?? 0)).slice(0, 60)
  const workbook = (name: string, category: string) => {
    if (category === 'loss_run') return lossRun(random, values, now)
    return name.includes('expiring')
      ? statementOfValues(withPresentYears('SOV 2025-26', now), values.slice(BOUGHT_SINCE), EXPIRING_TREND)
      : statementOfValues(withPresentYears('SOV 2026-27', now), values)
  }
  for (const { name, category, days, author, about, flag, vanity_name } of readTable('busy-documents.csv', BusyDocument)) {
    const linked = Array.from({ length: about }, () => random.pick(largest))
    const date = dateAgo(days, now)
    const text = { category, date, author, properties: linked.map((property) => property.values) }
    const document = {
      name: withPresentYears(name, now),
      category,
      content: name.endsWith('.xlsx') ? await workbook(name, category) : text,
      properties: [...new Set(linked.map(({ id }) => id))],
      flags: {
        ...(flag && { [flag]: true }),
        ...(vanity_name && { vanity_name: withPresentYears(vanity_name, now) }),
        report_author_date: date,
      },
    }
    await addDocument(demo, uploader, accountId, document, Math.max(12, Math.min(days, 150) - 2))
  }
}
