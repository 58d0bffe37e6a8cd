import { useEffect, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { createStore, useStore } from './store.ts'

/** The page that contains the current one, shown in front of its title. */
interface ParentPage {
  text: string
  href: string
}

const title = createStore('')
const parent = createStore<ParentPage | null>(null)
const slot = createStore<HTMLElement | null>(null)
const toolsSlot = createStore<HTMLElement | null>(null)

/** Sets the title in the heading bar and the browser tab. */
export function usePageTitle(next: string): void {
  useEffect(() => title.set(next), [next])
}

/** The same as an element, for a title that is known only after loading. */
export function PageTitle({ children }: { children: string }): ReactNode {
  usePageTitle(children)
  return null
}

/** Shows the page that contains this one in the heading bar; `text` is undefined until it is known. */
export function useParentPage(text: string | undefined, href: string): void {
  useEffect(() => {
    parent.set(text === undefined ? null : { text, href })
    return () => parent.set(null)
  }, [text, href])
}

/** The element of the heading bar for what a page shows next to its title. */
export const setHeadingSlot = (element: HTMLElement | null): void => slot.set(element)

/** The element for what a page adds in front of the tools of the heading bar. */
export const setToolsSlot = (element: HTMLElement | null): void => toolsSlot.set(element)

/** Shows its content in front of the tools of the heading bar; without a heading bar, nothing. */
export function InTools({ children }: { children: ReactNode }): ReactNode {
  const element = useStore(toolsSlot)
  return element === null ? null : createPortal(children, element)
}

/** Shows its content next to the title in the heading bar; without a heading bar, nothing. */
export function InHeadingBar({ children }: { children: ReactNode }): ReactNode {
  const element = useStore(slot)
  return element === null ? null : createPortal(children, element)
}

export const useCurrentTitle = (): string => useStore(title)
export const useCurrentParent = (): ParentPage | null => useStore(parent)
