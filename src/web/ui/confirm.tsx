import { lazy, Suspense } from 'react'
import type { OpenQuestion, Question } from './confirm-modal.tsx'
import { createStore, useStore } from './store.ts'

const ConfirmModal = lazy(() => import('./confirm-modal.tsx').then(({ ConfirmModal: component }) => ({ default: component })))

const current = createStore<OpenQuestion | null>(null)

/** Resolves to true when the user confirms. A second question answers the first one with no. */
export function confirmDialog(question: Question): Promise<boolean> {
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
  return <Suspense>{question !== null && <ConfirmModal {...question} />}</Suspense>
}
