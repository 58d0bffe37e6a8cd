import { lazy, Suspense, useSyncExternalStore } from 'react'
import type { OpenQuestion, Question } from './confirm-modal.tsx'

const ConfirmModal = lazy(() => import('./confirm-modal.tsx').then(({ ConfirmModal: component }) => ({ default: component })))

let current: OpenQuestion | undefined
const listeners = new Set<() => void>()

function set(next: OpenQuestion | undefined): void {
  current = next
  for (const listener of listeners) listener()
}

/** Resolves to true when the user confirms. A second question answers the first one with no. */
export function confirmDialog(question: Question): Promise<boolean> {
  current?.answer(false)
  return new Promise((resolve) => {
    const answer = (agreed: boolean) => {
      set(undefined)
      resolve(agreed)
    }
    set({ ...question, answer })
  })
}

/** Rendered once in the page, for `confirmDialog`. */
export function ConfirmHost() {
  const question = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => current,
  )
  if (question === undefined) return null
  return (
    <Suspense>
      <ConfirmModal {...question} />
    </Suspense>
  )
}
