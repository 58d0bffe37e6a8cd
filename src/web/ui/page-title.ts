import { useEffect, type ReactNode } from 'react'
import { createStore, useStore } from './store.ts'

const title = createStore('')

/** Sets the title in the heading bar and the browser tab. */
export function usePageTitle(next: string): void {
  useEffect(() => title.set(next), [next])
}

/** The same as an element, for a title that is known only after loading. */
export function PageTitle({ children }: { children: string }): ReactNode {
  usePageTitle(children)
  return null
}

export const useCurrentTitle = (): string => useStore(title)
