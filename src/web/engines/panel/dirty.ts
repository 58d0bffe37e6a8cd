import { createContext, useContext, useEffect } from 'react'

export interface Dirty {
  set: (dirty: boolean) => void
  /** Saved, or given up on purpose: the next leave asks nothing. */
  release: () => void
}

export const DirtyContext = createContext<Dirty>({ set: () => undefined, release: () => undefined })

/** Tells the panel around it whether there is something unsaved, so that closing asks first. */
export function useDirty(dirty: boolean): Dirty {
  const context = useContext(DirtyContext)
  useEffect(() => {
    context.set(dirty)
    return () => context.set(false)
  }, [context, dirty])
  return context
}
