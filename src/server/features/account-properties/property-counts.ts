import { sql, type RawBuilder } from 'kysely'
import { visibleFiles } from '#server/access/account-files.ts'
import { PAIR_CHECK, notWidespread, ofCheck, otherOfPair, seesDiscrepancies } from '#server/access/discrepancies.ts'
import type { Context } from '#server/engines/context.ts'

/**
 * The properties of a batch of ids (an SQL array) with their `place` in it, `linked.documents` and `found.discrepancies`, null for none: what
 * the columns of the list count; `found.all_discrepancies` includes those that most properties of the account share. As one table for the batch they are joined faster than looked up for each property. OFFSET has the batch
 * read first: with the condition for visible accounts, the planner would read all properties of these accounts for each batch.
 */
export const countedBatch = (ctx: Context, batch: RawBuilder<unknown>) => sql`(
    SELECT listed.place, account_properties.* FROM unnest(${batch}) WITH ORDINALITY AS listed(id, place)
      JOIN account_properties ON account_properties.id = listed.id OFFSET 0) account_properties
  LEFT JOIN (${documentCounts(ctx, batch)}) linked ON linked.property_id = account_properties.id
  LEFT JOIN (${discrepancyCounts(ctx, batch)}) found ON found.property_id = account_properties.id`

const documentCounts = ({ viewer }: Context, batch: RawBuilder<unknown>) => sql`SELECT l.property_id, count(*)::int AS documents
  FROM account_file_properties l JOIN account_files ON account_files.id = l.file_id
  WHERE l.property_id = ANY(${batch}) AND account_files.deleted_at IS NULL AND ${visibleFiles(viewer)} GROUP BY 1`

/** Those of the property, and possible duplicates that are stored at the other property of an active one. */
const discrepancyCounts = ({ viewer }: Context, batch: RawBuilder<unknown>) =>
  seesDiscrepancies(viewer)
    ? sql`SELECT property_id, count(*) FILTER (WHERE ${notWidespread()})::int AS discrepancies, count(*)::int AS all_discrepancies FROM (
        SELECT d.property_id, d.widespread FROM discrepancies d WHERE d.property_id = ANY(${batch}) AND d.status = 'open'
        UNION ALL SELECT twin.id, d.widespread FROM account_properties twin JOIN discrepancies d ON ${otherOfPair()} = twin.id AND d.account_id = twin.account_id
          WHERE twin.id = ANY(${batch}) AND twin.status = 'active' AND d.status = 'open' AND ${ofCheck(PAIR_CHECK)}
      ) d GROUP BY 1`
    : sql`SELECT NULL::uuid AS property_id, 0 AS discrepancies, 0 AS all_discrepancies WHERE false`
