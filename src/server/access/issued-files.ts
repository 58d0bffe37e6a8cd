import { sql, type Expression, type SqlBool } from 'kysely'
import { z } from 'zod'
import type { PermissionName } from '#contract/permissions.ts'
import { NIL_UUID } from '#server/kernel/uuid.ts'
import { seesPrivateFiles } from './accounts.ts'
import { liveScope, scopeNow } from './link-scope.ts'
import { uuids } from './scope.ts'
import { can, viewerId, type Reader, type SignedIn, type Viewer } from './viewer.ts'

/**
 * What everyone may learn about a file whose bytes they have, without a sign-in. A document that is private now, or was whenever it was
 * downloaded, is not known to the page for checking files; its own company learns nothing about it there either.
 */
export const issuable = (): Expression<SqlBool> => sql<SqlBool>`(NOT account_files.private AND account_files.deleted_at IS NULL)`

/** Whether the account of a package or document is neither in the trash nor deleted for good. */
const isLive = (account: Expression<unknown>): Expression<SqlBool> =>
  sql<SqlBool>`EXISTS (SELECT 1 FROM accounts WHERE accounts.id = ${account} AND accounts.deleted_at IS NULL)`

/**
 * Whether an issued document has these bytes still, or its stored file became the current one of another document, is not private, and
 * neither it nor its account is in the trash.
 */
export const isCurrentDocument = (): Expression<SqlBool> =>
  sql<SqlBool>`EXISTS (SELECT 1 FROM account_files
    WHERE (account_files.id = issued_documents.file_id OR account_files.storage_key = issued_documents.storage_key)
    AND account_files.sha256 = issued_documents.checksum AND ${issuable()} AND ${isLive(sql`account_files.account_id`)})`

/**
 * Whether no package of its series with another content was issued after this one. A package that has no fingerprint is superseded as well
 * when a property or document of its account was changed after it was made. `outdated` are packages with another fingerprint than now.
 */
export const isCurrentPackage = (outdated: readonly string[]): Expression<SqlBool> =>
  sql<SqlBool>`((packages.account_id IS NULL OR ${isLive(sql`packages.account_id`)})
    AND packages.id <> ALL(${uuids(outdated)})
    AND (packages.register_version IS NULL OR packages.register_version =
      (SELECT accounts.register_version FROM accounts WHERE accounts.id = packages.account_id))
    AND (packages.fingerprint IS NOT NULL OR NOT (${changedSince('account_properties')} OR ${changedSince('account_files')}))
    AND NOT EXISTS (
      SELECT 1 FROM packages AS later WHERE later.series = packages.series AND later.issued_at IS NOT NULL
        AND later.made_at > packages.made_at AND later.content <> packages.content))`

const changedSince = (table: 'account_properties' | 'account_files') => sql`EXISTS (SELECT 1 FROM ${sql.table(table)} AS changed
  WHERE changed.account_id = packages.account_id AND greatest(changed.created_at, changed.updated_at, changed.deleted_at) > packages.made_at)`

/** Whose lists and archives of an account replace each other: those of a company, or of a person from outside. */
export const issuerOf = (viewer: Viewer): string | null =>
  viewer.kind === 'user' && viewer.via === undefined ? viewer.companyId : viewerId(viewer)

/** Permissions that decide what a package contains. */
const READING = [
  'view_account_files',
  'view_account_properties',
  'view_account_reconciliation_metric',
  'update_account_files',
] as const satisfies PermissionName[]

/** Whose rights a package shows the account with: stored with it, because they may lose the account, or be deleted, without a change of what it lists. */
export const PackageReader = z.object({
  userId: z.string(),
  permissions: z.array(z.enum(READING)),
  roles: z.array(z.object({ id: z.string(), name: z.string(), label: z.string() })),
  via: z
    .object({
      kind: z.enum(['invite', 'share']),
      grantId: z.string(),
      accountId: z.string(),
      scope: z
        .object({
          choosesProperties: z.boolean(),
          categories: z.array(z.string()).nullable(),
          unlinkedFiles: z.boolean(),
          key: z.string().nullable(),
          properties: z.array(z.string()).optional(),
        })
        .optional(),
    })
    .optional(),
})
export type PackageReader = z.output<typeof PackageReader>

/** The rights of the viewer to the parts of an account that they see. Without private documents, unless they see those of this account. */
export async function packageReader(db: Reader, viewer: SignedIn, account: { company_id: string }): Promise<PackageReader> {
  const permissions = READING.filter((name) => (name === 'update_account_files' ? seesPrivateFiles(viewer, account) : can(viewer, name)))
  const via = viewer.via && { ...viewer.via, scope: await scopeNow(db, viewer) }
  return PackageReader.parse({ userId: viewer.userId, permissions, roles: viewer.roles, via })
}

/** The reader with what their link shows now. When people can no longer download by the link, it is what it showed when the package was requested. */
export async function presentReader(db: Reader, reader: PackageReader): Promise<PackageReader> {
  const { via } = reader
  const scope = via && (await liveScope(db, via.grantId))
  if (via === undefined || scope === undefined) return reader
  return PackageReader.parse({ ...reader, via: { ...via, scope: scope ?? undefined } })
}

/** A viewer who sees these parts of the account, also after the person lost it. */
export const viewerOfPackage = ({ userId, permissions, roles, via }: PackageReader): SignedIn => ({
  kind: 'user',
  userId,
  fullName: '',
  firstName: '',
  lastName: '',
  email: '',
  companyId: NIL_UUID,
  companyName: '',
  logoId: null,
  timezone: 'UTC',
  roles,
  permissions: new Set<PermissionName>([...permissions, 'view_all_system_companies']),
  previousLoginAt: null,
  challenged: false,
  rightsKey: '',
  ...(via && {
    via: { kind: via.kind, grantId: via.grantId, accountId: via.accountId, preview: true, ...(via.scope && { scope: via.scope }) },
  }),
})
