import type { AccountFile } from '#contract/account-files.ts'

/** What a document is called: its descriptive name with the original beneath, where it has one and they are shown (decisions Q65). */
export function namesOf(file: Pick<AccountFile, 'file' | 'vanity_name'>, descriptive: boolean): { title: string; beneath: string | null } {
  const original = file.file.original_file_name
  const vanity = file.vanity_name ?? ''
  return descriptive && vanity !== '' ? { title: vanity, beneath: original } : { title: original, beneath: null }
}
