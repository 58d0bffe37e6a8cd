import { Button, Group, Modal, Text } from '@mantine/core'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { createContext, useContext, useEffect, useMemo, useRef, type ReactNode } from 'react'
import { SidePanel, type PanelSize } from './side-panel.tsx'

interface Dirty {
  set: (dirty: boolean) => void
  /** After a save or a deliberate discard: leaving asks the user nothing. */
  release: () => void
}

export const DirtyContext = createContext<Dirty>({ set: () => undefined, release: () => undefined })

/** Registers unsaved changes with the panel, which then asks the user before it closes. */
export function useDirty(dirty: boolean): Dirty {
  const context = useContext(DirtyContext)
  useEffect(() => {
    context.set(dirty)
    return () => context.set(false)
  }, [context, dirty])
  return context
}

interface RoutePanelProps {
  title: ReactNode
  size?: PanelSize
  /** The list or page underneath. */
  closeTo: string
  actions?: ReactNode
  children: ReactNode
}

/** Closes the panel; the page underneath keeps its search params. */
export function useClosePanel(closeTo: string): () => void {
  const navigate = useNavigate()
  return () => void navigate({ to: closeTo, search: true, resetScroll: false })
}

/** Opens another panel over the same page, which keeps its search params. */
export function useOpenPanel(): (to: string) => void {
  const navigate = useNavigate()
  return (to) => void navigate({ to, search: true, resetScroll: false })
}

function LeaveQuestion({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <Modal opened onClose={onStay} title="You have unsaved changes" zIndex={400}>
      <Text size="md">If you leave now, what you changed here is lost.</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={onStay} data-autofocus>
          Keep editing
        </Button>
        <Button color="brick" onClick={onLeave}>
          Discard changes
        </Button>
      </Group>
    </Modal>
  )
}

/** A side panel with its own address. Warns before leaving with unsaved changes. */
export function RoutePanel({ closeTo, children, ...frame }: RoutePanelProps) {
  const close = useClosePanel(closeTo)
  const unsaved = useRef(false)
  const dirty = useMemo<Dirty>(() => ({ set: (now) => void (unsaved.current = now), release: () => void (unsaved.current = false) }), [])
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => unsaved.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => unsaved.current,
    withResolver: true,
  })
  return (
    <SidePanel {...frame} onClose={close}>
      <DirtyContext value={dirty}>{children}</DirtyContext>
      {blocker.status === 'blocked' && <LeaveQuestion onStay={blocker.reset} onLeave={blocker.proceed} />}
    </SidePanel>
  )
}
