import { AppError } from '#server/kernel/errors.ts'
import { EncryptedDocument } from './read-pdf.ts'

/** Why a file cannot be read, by the error of its reader. */
export function causeOf(error: unknown): 'encrypted' | 'too_large' | 'damaged' {
  if (error instanceof EncryptedDocument) return 'encrypted'
  return error instanceof AppError && error.kind === 'too_large' ? 'too_large' : 'damaged'
}
