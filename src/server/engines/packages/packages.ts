import { randomUUID } from 'node:crypto'
import { sql, type RawBuilder } from 'kysely'
import { issuable } from '#server/access/issued-files.ts'
import type { Context, WriteContext } from '../context.ts'
import { sha256 } from './package-digest.ts'

/** A file that the product makes for someone to take away. Its date and id are printed in it. */
export interface Package {
  id: string
  madeAt: Date
}

export const newPackage = ({ clock }: Context, id: string = randomUUID()): Package => ({ id, madeAt: clock.now() })

/** What a package lists, and the fingerprint of that before it was read. */
export interface Listed {
  listing: object
  fingerprint: string
}

export interface RecordedPackage extends Package {
  accountId: string | null
  /** What makes a later package replace this one: its kind, account and selection, and whose packages replace each other. */
  series: readonly unknown[]
  /** Another fingerprint of the same listing supersedes the package. */
  listed?: Listed
  /** What the package contains, without its date and id. */
  content: string
  /** SHA-256 of the file, or the digest of an archive with the SHA-256 of the files that were made for it. */
  checksums: readonly string[]
  /** SHA-256 of the documents in an archive. */
  documents?: readonly string[]
  /** Whether it leaves the product now; otherwise when `issuePackage` is called. */
  isIssued: boolean
}

/** Marks a document with the bytes of a file that the product made earlier: in this archive, it is not that file. */
const DOCUMENT_PREFIX = 'document:'

/** Makes the package known to the page for checking files, in the transaction that completes it. */
export async function recordPackage(tx: WriteContext, made: RecordedPackage): Promise<void> {
  const { id, madeAt: made_at, accountId: account_id, content, listed, isIssued } = made
  const series = sha256(JSON.stringify(made.series))
  await tx.db
    .insertInto('packages')
    .values({
      id,
      account_id,
      series,
      content,
      made_at,
      ...(listed && { listing: JSON.stringify(listed.listing), fingerprint: listed.fingerprint }),
      issued_at: isIssued ? tx.clock.now() : null,
    })
    .execute()
  await sql`INSERT INTO package_checksums (checksum, package_id)
    SELECT DISTINCT checksum, ${id}::uuid FROM unnest(${[...new Set(made.checksums)]}::text[]) AS checksum`.execute(tx.db)
  await sql`INSERT INTO package_checksums (checksum, package_id)
    SELECT ${DOCUMENT_PREFIX} || checksum, ${id}::uuid FROM unnest(${[...new Set(made.documents)]}::text[]) AS checksum
    WHERE EXISTS (SELECT 1 FROM package_checksums made WHERE made.checksum = checksum.checksum)`.execute(tx.db)
}

/** SQL: the checksums of the documents in archives with these digests that a file of the product has, too. */
export const documentsOf = (digests: readonly string[]): RawBuilder<unknown> => sql`
  SELECT substr(document.checksum, ${DOCUMENT_PREFIX.length + 1}) FROM package_checksums AS archive
  JOIN package_checksums AS document ON document.package_id = archive.package_id AND starts_with(document.checksum, ${DOCUMENT_PREFIX})
  WHERE archive.checksum = ANY(${[...digests]}::text[])`

/** Call when the download of a recorded package begins; false if it was downloaded before. */
export async function issuePackage({ db, clock }: Context, id: string): Promise<boolean> {
  const waiting = db.updateTable('packages').set({ issued_at: clock.now() }).where('id', '=', id).where('issued_at', 'is', null)
  return (await waiting.executeTakeFirstOrThrow()).numUpdatedRows > 0n
}

/** Call when documents, or former versions of them, leave the product. Private ones stay unknown to the page for checking files. */
export async function issueDocuments({ db, clock }: Context, storageKeys: readonly string[]): Promise<void> {
  const keys = sql`${[...storageKeys]}::text[]`
  await sql`INSERT INTO issued_documents (storage_key, file_id, account_id, checksum, issued_at)
    SELECT stored.storage_key, account_files.id, account_files.account_id, stored.sha256, ${clock.now()}
    FROM (SELECT id AS file_id, storage_key, sha256 FROM account_files WHERE storage_key = ANY(${keys})
      UNION ALL SELECT file_id, storage_key, sha256 FROM file_versions WHERE storage_key = ANY(${keys})) AS stored
    JOIN account_files ON account_files.id = stored.file_id
    WHERE ${issuable()} ON CONFLICT (storage_key) DO NOTHING`.execute(db)
}

/** Removes packages that were made before this time and never downloaded. */
export async function removeUnissued({ db }: Context, before: Date): Promise<void> {
  await db.deleteFrom('packages').where('issued_at', 'is', null).where('made_at', '<', before).execute()
}
