import type { ComponentType } from 'react'
import type { OpenQuestion, Question } from './confirm-modal.tsx'
import { createStore, useStore } from './store.ts'

const current = createStore<OpenQuestion | null>(null)
const modal = createStore<{ ConfirmModal: ComponentType<OpenQuestion> } | null>(null)

const loadModal = async () => modal.get() ?? modal.set(await import('./confirm-modal.tsx'))

/** For pages that will need it: without a connection the dialog can no longer be loaded. */
export const prepareConfirm = (): void => void loadModal().catch(() => undefined)

/** Resolves to true when the user confirms. A second question answers the first one with no. */
export async function confirmDialog(question: Question): Promise<boolean> {
  try {
    await loadModal()
  } catch {
    // oxlint-disable-next-line no-alert -- the browser's own dialog needs no code from the server
    return window.confirm(typeof question.message === 'string' ? `${question.title}\n\n${question.message}` : question.title)
  }
  current.get()?.answer(false)
  return new Promise((resolve) => {
    const answer = (agreed: boolean) => {
      current.set(null)
      resolve(agreed)
    }
    current.set({ ...question, answer })
  })
}

/** Rendered once in the page, for `confirmDialog`. */
export function ConfirmHost() {
  const question = useStore(current)
  const loaded = useStore(modal)
  return question !== null && loaded !== null && <loaded.ConfirmModal {...question} />
}
