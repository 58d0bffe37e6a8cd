import { useEffect, useSyncExternalStore, type ReactNode } from 'react'

let title = ''
const listeners = new Set<() => void>()

function set(next: string): void {
  title = next
  for (const listener of listeners) listener()
}

/** Names the page in the heading bar and in the browser's tab while it is mounted. */
export function usePageTitle(next: string): void {
  useEffect(() => set(next), [next])
}

/** A page that loads what it is called by says so with an element. */
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
