import { useSyncExternalStore } from 'react'

/** A value outside of React, such as one that several parts of the page share. */
export function createStore<T>(initial: T) {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set: (next: T) => {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The current value of a store; the component renders again when it changes. */
export const useStore = <T>({ subscribe, get }: ReturnType<typeof createStore<T>>): T => useSyncExternalStore(subscribe, get)
