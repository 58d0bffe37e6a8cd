import { sql } from 'kysely'
import { fileCheckCalls, type FileCheck } from '#contract/file-check.ts'
import { CHECKS_PER_NETWORK, CHECKS_WINDOW_MS } from '#contract/limits.ts'
import { isCurrentDocument, isCurrentPackage } from '#server/access/issued-files.ts'
import type { Context } from '#server/engines/context.ts'
import { documentsOf } from '#server/engines/packages/packages.ts'
import { implement } from '#server/engines/http/answer.ts'
import { countAttempt, networkOf } from '#server/engines/secrets/limiter.ts'

interface Found {
  checksum: string
  is_current: boolean
  is_known: boolean
  made_at: Date | null
}

/**
 * One answer for each checksum in their order, with no other word about what is stored. A document of a requested archive is judged
 * as a document, also if the product issued the same bytes as a file of its own before. A document that several accounts issued is current
 * if it is in all of them, so that uploading a replaced document elsewhere does not make it look current.
 */
async function checkFiles({ db }: Context, checksums: readonly string[]): Promise<FileCheck[]> {
  const archives = checksums.filter((checksum) => checksum.startsWith('zip:'))
  const { rows } = await sql<Found>`SELECT asked.checksum, made.made_at,
      coalesce(made.is_current, false) OR coalesce(document.is_current, false) AS is_current,
      made.made_at IS NOT NULL OR document.is_current IS NOT NULL AS is_known
    FROM unnest(${[...checksums]}::text[]) WITH ORDINALITY AS asked(checksum, place)
    LEFT JOIN LATERAL (SELECT max(packages.made_at) AS made_at, bool_or(${isCurrentPackage()}) AS is_current
      FROM package_checksums JOIN packages ON packages.id = package_checksums.package_id
      WHERE package_checksums.checksum = asked.checksum AND packages.issued_at IS NOT NULL
        AND asked.checksum NOT IN (${documentsOf(archives)})) AS made ON true
    LEFT JOIN LATERAL (SELECT bool_and(account.is_current) AS is_current FROM (SELECT bool_or(${isCurrentDocument()}) AS is_current
      FROM issued_documents WHERE issued_documents.checksum = asked.checksum GROUP BY issued_documents.account_id) AS account) AS document ON true
    ORDER BY asked.place`.execute(db)
  return rows.map(({ checksum, is_current, is_known, made_at }) => ({
    checksum,
    state: is_current ? 'current' : is_known ? 'superseded' : 'unknown',
    made_at: made_at?.toISOString() ?? null,
  }))
}

export const fileCheckRoutes = implement(fileCheckCalls, {
  check: async ({ ctx, body, caller }) => {
    const limit = { key: `check ${networkOf(caller.address)}`, points: CHECKS_PER_NETWORK, perMs: CHECKS_WINDOW_MS }
    await countAttempt(ctx, limit, 'Too many files were checked from this network.')
    return { data: await checkFiles(ctx, body.checksums) }
  },
})
