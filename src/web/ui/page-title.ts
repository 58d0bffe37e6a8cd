import { useEffect, useSyncExternalStore, type ReactNode } from 'react'

let title = ''
const listeners = new Set<() => void>()

function set(next: string): void {
  title = next
  for (const listener of listeners) listener()
}

/** Sets the title in the heading bar and the browser tab. */
export function usePageTitle(next: string): void {
  useEffect(() => set(next), [next])
}

/** The same as an element, for a title that is known only after loading. */
export function PageTitle({ children }: { children: string }): ReactNode {
  usePageTitle(children)
  return null
}

export function useCurrentTitle(): string {
  return useSyncExternalStore(subscribe, () => title)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
