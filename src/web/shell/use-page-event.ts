import { useEffect, useEffectEvent } from 'react'
import { onPageEvent, type PageEvents } from '#web/data/page-events.ts'

export function usePageEvent<K extends keyof PageEvents>(name: K, listener: (detail: PageEvents[K]) => void): void {
  const handle = useEffectEvent(listener)
  useEffect(() => onPageEvent(name, handle), [name])
}
