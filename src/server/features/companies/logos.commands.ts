import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { LOGO_HEIGHT_PX, LOGO_MAX_BYTES, LOGO_PIXELS_MAX, LOGO_WIDTH_PX } from '#contract/limits.ts'
import { LOGO_TYPE_ERROR, companyCalls } from '#contract/companies.ts'
import { formatBytes } from '#contract/format.ts'
import type { Context, WriteContext } from '#server/engines/context.ts'
import { API_ROOT } from '#server/engines/http/answer.ts'
import { signedIn } from '#server/engines/session/authenticate.ts'
import type { UploadTicket } from '#server/engines/storage/storage.ts'
import { invalid, notFound } from '#server/kernel/errors.ts'
import { permitUpload } from '../account-files/uploads.commands.ts'

const UUID = /[0-9a-f-]{36}$/

/** The address of a logo, for everyone who sees the company's name. */
export const logoUrl = (logoId: string | null): string | null =>
  logoId === null ? null : `${API_ROOT}${companyCalls.logo.path.replace(':id', logoId)}`

/** Permits the upload of an image for a logo. It becomes one when the company is saved with its address. */
export async function signLogo(
  ctx: Context,
  companyId: string,
  { filePath, contentType }: { filePath: string; contentType: string },
): Promise<UploadTicket> {
  const key = `logos/${companyId}/${randomUUID()}`
  return permitUpload(ctx, {
    key,
    company_id: companyId,
    purpose: 'logo',
    file_name: filePath,
    content_type: contentType,
    size: LOGO_MAX_BYTES,
  })
}

/**
 * The id of the logo at the address that a client sends: the present one, none, or one made from an upload. Only a small image made of
 * its pixels is stored. Throws an error on the field `logo_url`.
 */
export async function logoFrom(ctx: Context, companyId: string, url: string | null, presentId: string | null): Promise<string | null> {
  if (url === null || url === '') return null
  if (url === logoUrl(presentId)) return presentId
  const key = `logos/${companyId}/${UUID.exec(url)?.[0] ?? ''}`
  const upload = await ctx.db
    .selectFrom('uploads')
    .select('key')
    .where('key', '=', key)
    .where('user_id', '=', signedIn(ctx).userId)
    .where('registered_at', 'is', null)
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirst()
  const stored = upload && (await ctx.storage.head(key))
  if (stored === undefined) throw invalid({ logo_url: ['The image was not uploaded. Please choose it again.'] })
  if (stored.size > LOGO_MAX_BYTES) throw invalid({ logo_url: [`The image may be at most ${formatBytes(LOGO_MAX_BYTES)}.`] })
  const png = await resizeLogo(await buffer(await ctx.storage.read(key)))
  await ctx.storage.remove(key)
  await ctx.db.deleteFrom('uploads').where('key', '=', key).execute()
  const { id } = await ctx.db.insertInto('company_logos').values({ company_id: companyId, png }).returning('id').executeTakeFirstOrThrow()
  return id
}

/** The library is native code of several megabytes, so it is loaded at first use. */
async function resizeLogo(bytes: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  try {
    return await sharp(bytes, { limitInputPixels: LOGO_PIXELS_MAX, animated: false })
      .rotate()
      .resize({ width: LOGO_WIDTH_PX, height: LOGO_HEIGHT_PX, fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer()
  } catch (error) {
    const isTooLarge = error instanceof Error && /pixel limit/i.test(error.message)
    throw invalid({ logo_url: [isTooLarge ? 'This image has too many pixels. Please choose a smaller one.' : LOGO_TYPE_ERROR] })
  }
}

/** Logos that no company has, such as former ones. */
export async function removeUnusedLogos({ db }: WriteContext, companyId: string): Promise<void> {
  const used = db.selectFrom('companies').select('logo_id').where('id', '=', companyId).where('logo_id', 'is not', null)
  await db.deleteFrom('company_logos').where('company_id', '=', companyId).where('id', 'not in', used).execute()
}

export async function readLogo({ db }: Context, id: string): Promise<Buffer> {
  const logo = await db.selectFrom('company_logos').select('png').where('id', '=', id).executeTakeFirst()
  if (logo === undefined) throw notFound('Logo')
  return logo.png
}
