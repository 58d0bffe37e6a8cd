import { lazy, Suspense, useSyncExternalStore } from 'react'
import type { AskedQuestion, Question } from './confirm-modal.tsx'

const ConfirmModal = lazy(() => import('./confirm-modal.tsx').then(({ ConfirmModal: component }) => ({ default: component })))

let asked: AskedQuestion | undefined
const listeners = new Set<() => void>()

function set(next: AskedQuestion | undefined): void {
  asked = next
  for (const listener of listeners) listener()
}

/** Asks before something is destroyed; true when the person agreed. A second question answers the first with no. */
export function confirmDialog(question: Question): Promise<boolean> {
  asked?.answer(false)
  return new Promise((resolve) => {
    const answer = (agreed: boolean) => {
      set(undefined)
      resolve(agreed)
    }
    set({ ...question, answer })
  })
}

/** Stands once in the page and shows what `confirmDialog` asks. */
export function ConfirmHost() {
  const question = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    () => asked,
  )
  if (question === undefined) return null
  return (
    <Suspense>
      <ConfirmModal {...question} />
    </Suspense>
  )
}
