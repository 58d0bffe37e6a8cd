import { useCallback, useState } from 'react'

export interface Selection {
  ids: ReadonlySet<string>
  toggle: (id: string) => void
  select: (ids: readonly string[]) => void
  clear: () => void
}

/** The chosen rows of a list; they stay chosen while pages are turned. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(() => new Set())
  const toggle = useCallback((id: string) => {
    setIds((current) => {
      const next = new Set(current)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }, [])
  const select = useCallback((chosen: readonly string[]) => setIds(new Set(chosen)), [])
  const clear = useCallback(() => setIds(new Set()), [])
  return { ids, toggle, select, clear }
}
