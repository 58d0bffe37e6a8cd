/** Why a file cannot be read. Previews and the state of its text name the same cause in the same words. */
export const UNREADABLE = {
  encrypted: 'is protected with a password',
  damaged: 'is damaged',
  too_large: 'is too large',
  not_supported: 'is of a kind that is not supported',
} as const
export type Unreadable = keyof typeof UNREADABLE

export const notShown = (cause: Unreadable): string => `This file ${UNREADABLE[cause]}, so it cannot be shown here.`
export const notSearched = (cause: Unreadable): string => `This file ${UNREADABLE[cause]}, so its text cannot be searched.`
