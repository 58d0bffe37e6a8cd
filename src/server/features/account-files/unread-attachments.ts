import { sql, type RawBuilder } from 'kysely'
import type { UnreadAttachment } from '#contract/document-texts.ts'

/** Shown with the state of a text; the others are counted. */
const SHOWN = 5
/** Names of attachments are as long as who made the message wants. */
const NAME_MAX_CHARACTERS = 200

/**
 * The rows of a document for its attachments without text: pages with negative numbers and no words, which no search finds. The reason is
 * before the name.
 */
export const unreadRows = (attachments: readonly UnreadAttachment[]) =>
  attachments.map(({ name, reason }, at) => ({
    part: -1 - at,
    page: null,
    place: `${reason} ${name.slice(0, NAME_MAX_CHARACTERS)}`,
    body: '',
  }))

/** SQL: how many attachments of a document have no text, and the first of them. */
export const unreadAttachments = (fileId: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  SELECT jsonb_build_object('count', count(*), 'first', coalesce(jsonb_agg(
      jsonb_build_object('reason', split_part(p.place, ' ', 1), 'name', substr(p.place, strpos(p.place, ' ') + 1)) ORDER BY p.part DESC)
      FILTER (WHERE p.part >= ${sql.lit(-SHOWN)}), '[]'))
    FROM document_pages p WHERE p.file_id = ${fileId} AND p.part < 0)`
