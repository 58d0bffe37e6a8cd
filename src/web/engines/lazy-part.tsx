import { Text } from '@mantine/core'
import { CatchBoundary } from '@tanstack/react-router'
import { useEffect, type ComponentType, type ReactNode } from 'react'
import { loadCode } from '#web/data/load-code.ts'
import { createStore, useStore } from '#web/ui/store.ts'

type Shown<P> = ReactNode | ((props: P) => ReactNode)

interface LazyPartOptions<P> {
  /** Shown until the code is there. */
  fallback?: Shown<P>
  /** Shown when the code cannot be loaded. */
  failure?: Shown<P>
}

/** What is shown in place of a part that cannot be loaded. */
export const PartFailure = () => (
  <Text role="alert" c="dimmed" p="sm">
    This could not be loaded. Please reload the page.
  </Text>
)

/**
 * A part of a page whose code loads when it is first shown, or earlier with `preload`. When that fails, the rest of the page stays as it
 * is. Without Suspense, because React shows a fallback of Suspense for at least 300 ms, however fast the code loads.
 */
export function lazyPart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { fallback = null, failure = <PartFailure /> }: LazyPartOptions<P> = {},
) {
  const loaded = createStore<{ Part: ComponentType<P> } | 'failed' | null>(null)
  let loading: Promise<void> | undefined
  const preload = () => {
    loading ??= loadCode(load).then(
      (Part) => loaded.set({ Part }),
      () => loaded.set('failed'),
    )
  }
  function LazyPart(props: P) {
    useEffect(preload, [])
    const state = useStore(loaded)
    if (state === null || state === 'failed') {
      const shown = state === null ? fallback : failure
      return typeof shown === 'function' ? shown(props) : shown
    }
    return (
      <CatchBoundary getResetKey={() => loaded} errorComponent={PartFailure}>
        <state.Part {...props} />
      </CatchBoundary>
    )
  }
  LazyPart.preload = preload
  return LazyPart
}
