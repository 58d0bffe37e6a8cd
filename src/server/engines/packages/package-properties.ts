import type { Config } from '#server/kernel/config.ts'
import type { Context } from '../context.ts'
import type { FileProperties } from '../office-files/property-parts.ts'
import type { Package } from './packages.ts'

/** The page on which everyone can check whether a file is unchanged and current. */
export const checkPage = ({ appUrl }: Config): string => `${appUrl}/check`

/** The date and id that a file of the product carries, as pairs of name and text. */
export const printedProperties = ({ config }: Context, { id, madeAt }: Package): [name: string, text: string][] => [
  ['Document ID', id],
  ['Date (UTC)', madeAt.toISOString().replace('T', ' ').slice(0, 16)],
  ['Check this file at', checkPage(config)],
]

/** For the properties of Word and Excel files. */
export const packageProperties = (ctx: Context, made: Package, title: string): FileProperties => ({
  title,
  creator: ctx.config.product.name,
  createdAt: made.madeAt,
  custom: printedProperties(ctx, made),
})
