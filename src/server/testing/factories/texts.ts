import type { Context } from '#server/engines/context.ts'
import type { JobRun } from '#server/engines/jobs/define-job.ts'
import { readDocumentText } from '#server/features/account-files/texts.job.ts'
import { makeFile } from './files.ts'

/** Reads the text of a document as its job does. */
export async function readTextOf(ctx: Context, id: string, signal: JobRun['signal'] = new AbortController().signal): Promise<void> {
  await readDocumentText.run(ctx, { file_id: id }, { id, attempt: 1, lastAttempt: false, signal })
}

/** A document whose text is read. */
export async function makeReadFile(ctx: Context, accountId: string, options: Parameters<typeof makeFile>[2]) {
  const file = await makeFile(ctx, accountId, options)
  await readTextOf(ctx, file.id)
  return file
}
