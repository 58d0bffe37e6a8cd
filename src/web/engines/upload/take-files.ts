import { DOCUMENT_CATEGORIES, suggestCategory, type DocumentCategoryCode } from '#contract/document-categories.ts'
import type { UploadItem, UploadWishes } from './upload-item.ts'
import { addUploads, giveFileBack } from './upload-queue.ts'
import { uploads } from './uploads.ts'

export interface Choices {
  /** Null: by the words of each file name. */
  category: DocumentCategoryCode | null
  /** Null: as the category has it. */
  private: boolean | null
  sov: boolean | null
  propertyIds: readonly string[]
}

export const NO_CHOICES: Choices = { category: null, private: null, sov: null, propertyIds: [] }

/** What a file becomes: a person's choice first, else what its category usually is. */
export function wishesFor(fileName: string, choices: Choices): UploadWishes {
  const category = choices.category ?? suggestCategory(fileName)
  const usual = DOCUMENT_CATEGORIES[category]
  return { category, private: choices.private ?? usual.private, sov: choices.sov ?? usual.sov, propertyIds: [...choices.propertyIds] }
}

/** Uploads files into an account; one that an interrupted upload waits for goes on where it stopped. Answers what is new. */
export function takeFiles(userId: string, accountId: string, files: readonly File[], choices: Choices): UploadItem[] {
  const fresh = files.filter((file) => !giveFileBack(uploads, accountId, file))
  return addUploads(
    uploads,
    fresh.map((file) => ({ userId, accountId, purpose: 'document' as const, file, wishes: wishesFor(file.name, choices) })),
  )
}
