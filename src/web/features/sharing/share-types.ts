import type { ShareLink } from '#contract/sharing.ts'
import type { Question } from '#web/ui/confirm-modal.tsx'

/** Shows a question over the share form. Resolves to true when the user confirms. */
export type Ask = (question: Question) => Promise<boolean>

/** The link in the form; null for a new one. */
export interface Editing {
  link: ShareLink | null
}

export const LINK_COPIED = 'The link has been copied to your clipboard ready to be shared.'
