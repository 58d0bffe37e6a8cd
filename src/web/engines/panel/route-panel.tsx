import { Text } from '@mantine/core'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { confirmDialog } from '#web/ui/confirm.tsx'
import { SidePanel, type SidePanelProps } from './side-panel.tsx'

const LEAVE_QUESTION = {
  title: 'You have unsaved changes',
  message: <Text size="md">If you leave now, what you changed here is lost.</Text>,
  confirm: 'Discard changes',
  cancel: 'Keep editing',
}

/** Asks the user before leaving the page with unsaved changes. Returns what ends this, for a save. */
export function useUnsavedChanges(dirty: boolean): () => void {
  const unsaved = useRef(false)
  useEffect(() => {
    unsaved.current = dirty
  }, [dirty])
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      unsaved.current && current.pathname !== next.pathname && !(await confirmDialog(LEAVE_QUESTION)),
    enableBeforeUnload: () => unsaved.current,
  })
  return () => {
    unsaved.current = false
  }
}

/** Opens another panel over the same page, which keeps its search params. */
export function useOpenPanel(): (to: string) => void {
  const navigate = useNavigate()
  return (to) => void navigate({ to, search: true, resetScroll: false })
}

/** Closes the panel; the page underneath keeps its search params. */
export function useClosePanel(closeTo: string): () => void {
  const open = useOpenPanel()
  return () => open(closeTo)
}

interface RoutePanelProps extends Omit<SidePanelProps, 'onClose'> {
  /** The list or page underneath. */
  closeTo: string
}

/** A side panel with its own address. */
export function RoutePanel({ closeTo, ...frame }: RoutePanelProps) {
  return <SidePanel {...frame} onClose={useClosePanel(closeTo)} />
}
