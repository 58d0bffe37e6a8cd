import { fileVersionCalls } from '#contract/file-versions.ts'
import { fileRules } from '#server/access/account-files.ts'
import { implement } from '#server/engines/http/answer.ts'
import { forbidden } from '#server/kernel/errors.ts'
import { presentFile } from './files.presenter.ts'
import { findFile } from './files.queries.ts'
import { downloadLink, previewLink, recordView } from './open.commands.ts'
import { adoptVersion, makeCurrent } from './versions.commands.ts'
import { versionsOf, withVersion } from './versions.queries.ts'

export const fileVersionRoutes = implement(
  fileVersionCalls,
  {
    list: async ({ ctx, params }) => ({ data: await versionsOf(ctx, await findFile(ctx, params.id, params.file_id)) }),
    adopt: async ({ ctx, params, body }) => ({
      data: presentFile(ctx.viewer, await adoptVersion(ctx, params.id, params.file_id, body.from)),
      message: 'The file is now the current version.',
    }),
    preview: async ({ ctx, params }) => {
      const file = await findFile(ctx, params.id, params.file_id)
      return { data: await previewLink(ctx, await withVersion(ctx, file, params.number)) }
    },
    sheet: async ({ ctx, params, query }) => {
      const file = await findFile(ctx, params.id, params.file_id)
      if (!fileRules(ctx.viewer, file).preview) throw forbidden()
      // The reader of tables is loaded with the first one.
      const { previewSheet } = await import('./sheet-preview.queries.ts')
      const shown = await withVersion(ctx, file, params.number)
      await recordView(ctx, shown)
      const { storage_key: key, size } = shown
      return { data: await previewSheet(ctx, key, size, query.sheet) }
    },
    download: async ({ ctx, params }) => {
      const file = await findFile(ctx, params.id, params.file_id)
      if (!fileRules(ctx.viewer, file).download) throw forbidden()
      const url = await downloadLink(ctx, await withVersion(ctx, file, params.number))
      if (url === null) throw forbidden()
      return { data: { url } }
    },
    makeCurrent: async ({ ctx, params }) => ({
      data: presentFile(ctx.viewer, await makeCurrent(ctx, params.id, params.file_id, params.number)),
      message: `Version ${params.number} is the current one.`,
    }),
  },
  (ctx, { id = '', file_id = '' }) => findFile(ctx, id, file_id),
)
