import { Text } from '@mantine/core'
import { CatchBoundary } from '@tanstack/react-router'
import { lazy, type ComponentType } from 'react'
import { loadCode } from '#web/data/load-code.ts'

/** A part of a page whose code loads when it is first shown. When that fails, the rest of the page stays as it is. */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>) {
  const Part = lazy(async () => ({ default: await loadCode(load) }))
  return function LazyPart(props: P) {
    return (
      <CatchBoundary getResetKey={() => Part} errorComponent={PartFailure}>
        <Part {...props} />
      </CatchBoundary>
    )
  }
}

const PartFailure = () => (
  <Text role="alert" c="dimmed" p="sm">
    This could not be loaded. Please reload the page.
  </Text>
)
