import { sql, type SqlBool } from 'kysely'
import { SYSTEM, can, type SignedIn } from '#server/access/viewer.ts'
import { fileRules, visibleFiles } from '#server/access/account-files.ts'
import { findVisibleCompany, requireVisibleAccount } from '#server/access/require.ts'
import type { Services, WriteContext } from '#server/engines/context.ts'
import { viewerOfFamily } from '#server/engines/session/authenticate.ts'
import type { LinkRights } from '#server/engines/storage/disk-routes.ts'
import { addSent } from '#server/engines/storage/partial-downloads.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { conflict, forbidden, notFound } from '#server/kernel/errors.ts'
import { recordDocumentDownload, recordDownloadVisit } from './open.commands.ts'
import { filesWithKeys } from './versions.queries.ts'

/** What a signed link of the disk store permits at the time when it is used, by the present rights of its sign-in. */
export function linkRights(services: Services): LinkRights {
  return {
    async requireUpload(key, familyId) {
      const viewer = await requireSignIn(services, familyId)
      const upload = await services.db
        .selectFrom('uploads')
        .select(['account_id', 'company_id', 'registered_at', 'expires_at'])
        .where('key', '=', key)
        .where('user_id', '=', viewer.userId)
        .executeTakeFirst()
      requireAwaited(services, upload)
      if (upload.company_id !== null) return requireLogoOf(services, viewer, upload.company_id)
      if (!can(viewer, 'upload_account_files')) throw forbidden()
      await requireVisibleAccount(services.db, viewer, upload.account_id ?? '')
    },
    // The locked row makes a registration wait, which then finds the bytes replaced, or makes this request find it registered.
    publishUpload: (key, publish) =>
      transact({ ...services, viewer: SYSTEM }, async (tx) => {
        const upload = await tx.db
          .selectFrom('uploads')
          .select(['registered_at', 'expires_at'])
          .where('key', '=', key)
          .forUpdate()
          .executeTakeFirst()
        requireAwaited(services, upload)
        return publish()
      }),
    async requireObject(key, familyId) {
      const viewer = await requireSignIn(services, familyId)
      const file = await services.db
        .selectFrom('account_files')
        .select(['created_by', 'deleted_at'])
        .where(sql<SqlBool>`account_files.id IN ${filesWithKeys([key])}`)
        .where('deleted_at', 'is', null)
        .where(visibleFiles(viewer))
        .executeTakeFirst()
      if (file === undefined) throw notFound('Document')
      const { preview, download } = fileRules(viewer, file)
      if (!preview && !download) throw forbidden()
    },
    async recordStart(key, familyId) {
      const viewer = await requireSignIn(services, familyId)
      const file = viewer.via === undefined ? undefined : await documentWith(services, key)
      if (file !== undefined) await recordDownloadVisit({ ...services, viewer }, file)
    },
    async recordSent(key, familyId, size, sent) {
      const viewer = await requireSignIn(services, familyId)
      await transact({ ...services, viewer }, async (tx) => {
        if (await addSent(tx, { item: key, userId: viewer.userId, size }, sent)) await recordDocument(tx, key)
      })
    },
  }
}

/** In the activity of the document, by the name that it has now, or by that of its former version. */
async function recordDocument(tx: WriteContext, key: string): Promise<void> {
  const file = await documentWith(tx, key)
  if (file !== undefined) await recordDocumentDownload(tx, file, 'downloaded')
}

const documentWith = ({ db }: Services, key: string) =>
  db
    .selectFrom('account_files')
    .leftJoin('file_versions', (join) =>
      join.onRef('file_versions.file_id', '=', 'account_files.id').on('file_versions.storage_key', '=', key),
    )
    .select(['account_files.id', 'account_files.account_id', 'vanity_name'])
    .select((eb) => eb.fn.coalesce('file_versions.file_name', 'original_file_name').as('original_file_name'))
    .where(sql<SqlBool>`account_files.id IN ${filesWithKeys([key])}`)
    .executeTakeFirst()

async function requireLogoOf({ db }: Services, viewer: SignedIn, companyId: string): Promise<void> {
  const company = await findVisibleCompany(db, viewer, companyId)
  if (company === undefined || !can(viewer, 'update_companies')) throw forbidden()
}

const expired = () => forbidden('This link has expired. Open the page again to get a new one.')

async function requireSignIn(services: Services, familyId: string): Promise<SignedIn> {
  const viewer = await viewerOfFamily(services, familyId)
  if (viewer === undefined) throw expired()
  return viewer
}

type Upload = { registered_at: Date | null; expires_at: Date }

/** Throws unless the upload still waits for its bytes. An upload whose document was permanently deleted has expired. */
function requireAwaited<U extends Upload>({ clock }: Services, upload: U | undefined): asserts upload is U {
  if (upload === undefined) throw expired()
  if (upload.registered_at !== null) throw conflict('This upload is a document already. Upload the file again to add another one.')
  if (upload.expires_at <= clock.now()) throw expired()
}
