import { sql } from 'kysely'
import { fileCheckCalls, type FileCheck } from '#contract/file-check.ts'
import { CHECKS_PER_NETWORK, CHECKS_WINDOW_MS } from '#contract/limits.ts'
import { isCurrentDocument, isCurrentPackage } from '#server/access/issued-files.ts'
import type { Context } from '#server/engines/context.ts'
import { documentsOf } from '#server/engines/packages/packages.ts'
import { implement } from '#server/engines/http/answer.ts'
import { countAttempt, networkOf } from '#server/engines/secrets/limiter.ts'
import { isOutdated } from '../account-files/listings.commands.ts'

interface Found {
  checksum: string
  is_current: boolean
  is_newest: boolean
  is_known: boolean
  made_at: Date | null
}

/**
 * One answer for each checksum in their order, with no other word about what is stored. A document of a requested archive is judged
 * as a document, also if the product issued the same bytes as a file of its own before. A document that several accounts issued is current
 * if it is in all of them, so that uploading a replaced document elsewhere does not make it look current.
 */
async function checkFiles(ctx: Context, checksums: readonly string[], count: () => Promise<void>): Promise<FileCheck[]> {
  const outdated = await outdatedPackages(ctx, checksums, count)
  const archives = checksums.filter((checksum) => checksum.startsWith('zip:'))
  const { rows } = await sql<Found>`SELECT asked.checksum, made.made_at,
      coalesce(made.is_current, false) OR coalesce(document.is_current, false) AS is_current, coalesce(made.is_newest, false) AS is_newest,
      made.made_at IS NOT NULL OR document.is_current IS NOT NULL AS is_known
    FROM unnest(${[...checksums]}::text[]) WITH ORDINALITY AS asked(checksum, place)
    LEFT JOIN LATERAL (SELECT max(package.made_at) AS made_at, bool_or(package.is_newest) AS is_newest,
        bool_or(package.is_newest AND package.is_compared) AS is_current
      FROM (SELECT packages.made_at, packages.fingerprint IS NOT NULL AS is_compared, ${isCurrentPackage(outdated)} AS is_newest
        FROM package_checksums JOIN packages ON packages.id = package_checksums.package_id
        WHERE package_checksums.checksum = asked.checksum AND packages.issued_at IS NOT NULL
          AND asked.checksum NOT IN (${documentsOf(archives)}) OFFSET 0) AS package) AS made ON true
    LEFT JOIN LATERAL (SELECT bool_and(account.is_current) AS is_current FROM (SELECT bool_or(${isCurrentDocument()}) AS is_current
      FROM issued_documents WHERE issued_documents.checksum = asked.checksum GROUP BY issued_documents.account_id) AS account) AS document ON true
    ORDER BY asked.place`.execute(ctx.db)
  return rows.map(({ checksum, is_current, is_newest, is_known, made_at }) => ({
    checksum,
    state: is_current ? 'current' : is_newest ? 'newest' : is_known ? 'superseded' : 'unknown',
    made_at: made_at?.toISOString() ?? null,
  }))
}

interface Issued {
  ids: string[]
  listing: unknown
  fingerprint: string
}

/** Of the packages with these checksums, those that would list something else now. Each comparison after the first counts as a request. */
async function outdatedPackages(ctx: Context, checksums: readonly string[], count: () => Promise<void>): Promise<string[]> {
  const { rows } = await sql<Issued>`SELECT array_agg(DISTINCT packages.id::text) AS ids, packages.listing, packages.fingerprint
    FROM package_checksums JOIN packages ON packages.id = package_checksums.package_id
    WHERE package_checksums.checksum = ANY(${[...checksums]}::text[]) AND packages.issued_at IS NOT NULL
      AND packages.fingerprint IS NOT NULL AND ${isCurrentPackage([])}
    GROUP BY packages.listing, packages.fingerprint`.execute(ctx.db)
  const outdated: string[] = []
  for (const [at, { ids, ...listed }] of rows.entries()) {
    if (at > 0) await count()
    if (await isOutdated(ctx, listed)) outdated.push(...ids)
  }
  return outdated
}

export const fileCheckRoutes = implement(fileCheckCalls, {
  check: async ({ ctx, body, caller }) => {
    const limit = { key: `check ${networkOf(caller.address)}`, points: CHECKS_PER_NETWORK, perMs: CHECKS_WINDOW_MS }
    const count = () => countAttempt(ctx, limit, 'Too many files were checked from this network.')
    await count()
    return { data: await checkFiles(ctx, body.checksums, count) }
  },
})
