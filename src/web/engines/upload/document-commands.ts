import { fileCalls } from '#contract/account-files.ts'
import type { DocumentCategoryCode } from '#contract/document-categories.ts'
import { fileVersionCalls } from '#contract/file-versions.ts'
import { plural } from '#contract/format.ts'
import { api } from '#web/data/client.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { toast } from '#web/ui/toast.tsx'
import { showError } from '../show-error.ts'
import type { UploadedDocument, UploadItem } from './upload-item.ts'
import { dismissUpload } from './upload-queue.ts'
import { uploads } from './uploads.ts'

/** An upload that became a document. */
export type DocumentItem = UploadItem & { document: UploadedDocument }

export const isDocument = (item: UploadItem): item is DocumentItem => item.status === 'done' && item.document !== null

export const hasProposal = (item: UploadItem): item is DocumentItem =>
  isDocument(item) && item.document.proposed.length > 0 && !item.document.linked

const changeDocument = ({ id, document }: DocumentItem, change: Partial<UploadedDocument>) =>
  uploads.list.change(id, { document: { ...document, ...change } })

/** Replaces the proposed category. A choice of the user between disclosed and submission documents remains. */
export async function changeCategory(item: DocumentItem, category: DocumentCategoryCode): Promise<void> {
  const { accountId, document, settings } = item
  changeDocument(item, { category })
  uploads.list.change(item.id, { settings: { ...settings, category } })
  try {
    const body = { category, ...(settings.sov === null ? {} : { sov: settings.sov }) }
    await api(fileCalls.patch, { params: { id: accountId, file_id: document.id }, body })
  } catch (error) {
    changeDocument(item, { category: document.category })
    uploads.list.change(item.id, { settings })
    showError(error)
  }
  invalidateAfterWrite('account_files', document.id, accountId)
}

/** Links documents to the properties that were proposed for them; Undo removes these links. */
export async function linkProposed(items: readonly DocumentItem[]): Promise<void> {
  await setLinks(items, true)
    .then(() =>
      toast.success(`${plural(items.length, 'document')} linked.`, {
        action: {
          label: 'Undo',
          onClick: () => void setLinks(items, false).then(() => toast.success('The links were removed.'), showError),
        },
      }),
    )
    .catch(showError)
}

async function setLinks(items: readonly DocumentItem[], linked: boolean): Promise<void> {
  const keyOf = ({ accountId, document }: DocumentItem) => [accountId, ...document.proposed.map(({ id }) => id)].join(' ')
  for (const group of Map.groupBy(items, keyOf).values()) {
    const [first] = group
    if (first === undefined) continue
    const { accountId, document } = first
    const input = { properties: document.proposed.map(({ id }) => id), mode: linked ? ('add' as const) : ('remove' as const) }
    const files = group.map((item) => item.document.id)
    await api(fileCalls.fileAction, { params: { id: accountId }, query: {}, body: { action: 'assign_properties', files, input } })
    for (const item of group) changeDocument(item, { linked })
    invalidateAfterWrite('account_files', null, accountId)
    invalidateAfterWrite('account_properties', null, accountId)
  }
}

/** Makes a document that was just uploaded a new version of the one with its name. */
export async function makeVersion(item: DocumentItem, of: { id: string; name: string }): Promise<void> {
  const { accountId, document, settings } = item
  try {
    await api(fileVersionCalls.adopt, { params: { id: accountId, file_id: of.id }, body: { from: document.id } })
    uploads.list.change(item.id, { settings: { ...settings, replaces: of }, document: { ...document, id: of.id, sameName: null } })
    toast.success(`“${item.name}” is now the current version of “${of.name}”.`)
  } catch (error) {
    showError(error)
  }
  invalidateAfterWrite('account_files', of.id, accountId)
}

/** Moves documents that were just uploaded to the trash; Undo restores them. */
export async function removeDocuments(items: readonly DocumentItem[]): Promise<void> {
  const ids = items.map(({ document }) => document.id)
  const accounts = new Set(items.map(({ accountId }) => accountId))
  const refresh = () => accounts.forEach((accountId) => invalidateAfterWrite('account_files', null, accountId))
  const restore = async () => {
    const { message } = await api(fileCalls.restore, { body: { ids } })
    toast.success(message)
    refresh()
  }
  try {
    await api(fileCalls.trash, { body: { ids } })
    for (const { id } of items) dismissUpload(uploads, id)
    const removed = items.length === 1 ? `“${items[0]?.name ?? ''}”` : plural(items.length, 'duplicate')
    toast.success(`${removed} moved to the trash.`, { action: { label: 'Undo', onClick: () => void restore().catch(showError) } })
  } catch (error) {
    showError(error)
  }
  refresh()
}
