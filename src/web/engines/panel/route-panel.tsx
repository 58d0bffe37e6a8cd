import { Drawer, Text } from '@mantine/core'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { useEffect, useLayoutEffect, useRef, type ReactNode } from 'react'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import { withQuery } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { confirmDialog, prepareConfirm } from '#web/ui/confirm.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useLightPrint } from '#web/ui/use-light-print.ts'
import { useReturnedFocus } from '#web/ui/use-returned-focus.ts'
import classes from './side-panel.module.css'
import { unsavedForms } from './unsaved-forms.ts'

/** Small for settings, medium for a record or form, wide for a preview next to its data. */
const WIDTH_PX = { small: 480, medium: 640, wide: 880 } as const

interface SidePanelProps {
  title: ReactNode
  size?: keyof typeof WIDTH_PX
  /** Called by Escape, the overlay and the close button. */
  onClose: () => void
  /** Leads to the panel before this one. */
  back?: { label: string; to: string } | undefined
  /** Next to the title, for example Edit. */
  actions?: ReactNode
  children: ReactNode
}

/** The frame of a panel from the right: heading, close button, focus trap. Full width on narrow screens. */
export function SidePanel({ title, size = 'medium', onClose, back, actions, children }: SidePanelProps) {
  useReturnedFocus()
  useLightPrint()
  useCoveredWidth(WIDTH_PX[size])
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size={WIDTH_PX[size]}
      transitionProps={{ duration: 0 }}
      returnFocus={false}
      classNames={{ content: classes['content'] ?? '', inner: classes['inner'] ?? '' }}
    >
      <Drawer.Overlay backgroundOpacity={0.35} />
      <Drawer.Content>
        <div className={classes['heading']}>
          {back && <BackButton {...back} />}
          <Drawer.Title className={classes['title']}>{title}</Drawer.Title>
          {actions}
          <Drawer.CloseButton aria-label="Close" />
        </div>
        <div className={classes['body']}>{children}</div>
      </Drawer.Content>
    </Drawer.Root>
  )
}

/** Toasts appear next to the part of the window that the panel covers. */
function useCoveredWidth(width: number) {
  useLayoutEffect(() => {
    const { style } = document.documentElement
    style.setProperty('--panel-width', `${width}px`)
    return () => void style.removeProperty('--panel-width')
  }, [width])
}

function BackButton({ label, to }: { label: string; to: string }) {
  const open = useOpenPanel()
  return (
    <IconButton name={label} onClick={() => open(to)}>
      <IconArrowLeft size={18} aria-hidden />
    </IconButton>
  )
}

/** Stays visible below the scrolling content of a panel. */
export function PanelFooter({ children }: { children: ReactNode }) {
  return <div className={classes['footer']}>{children}</div>
}

/** Closes the panel; the page underneath keeps its search params, except those of the panel. */
export function useClosePanel(closeTo: string, dropped?: readonly string[]): () => void {
  const open = useOpenPanel(dropped)
  return () => open(closeTo)
}

interface RoutePanelProps extends Omit<SidePanelProps, 'onClose'> {
  /** The list or page underneath. */
  closeTo: string
  /** Search params that belong to the panel. */
  dropped?: readonly string[] | undefined
}

/** A side panel with its own address. */
export function RoutePanel({ closeTo, dropped, ...frame }: RoutePanelProps) {
  return <SidePanel {...frame} onClose={useClosePanel(closeTo, dropped)} />
}

const LEAVE_QUESTION = {
  title: 'You have unsaved changes',
  message: <Text size="md">If you leave now, what you changed here is lost.</Text>,
  confirm: 'Discard changes',
  cancel: 'Keep editing',
}

/**
 * Asks the user before leaving the page with unsaved changes. While they are being saved the page stays, because it is not known yet whether
 * they are lost. Returns what ends this, for a save.
 */
export function useUnsavedChanges(dirty: boolean, saving: boolean): () => void {
  const unsaved = useRef({ dirty, saving })
  useEffect(() => {
    unsaved.current = { dirty, saving }
    if (dirty) prepareConfirm()
  }, [dirty, saving])
  useEffect(() => {
    if (!dirty) return undefined
    unsavedForms.set(unsavedForms.get() + 1)
    return () => unsavedForms.set(unsavedForms.get() - 1)
  }, [dirty])
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      // A session that ended cannot be continued by staying on the page.
      if (next.pathname === '/login' || current.pathname === next.pathname) return false
      if (unsaved.current.saving) toast.info('Still saving. Please wait a moment.')
      return unsaved.current.saving || (unsaved.current.dirty && !(await confirmDialog(LEAVE_QUESTION)))
    },
    enableBeforeUnload: () => unsaved.current.saving || unsaved.current.dirty,
  })
  return () => {
    unsaved.current = { dirty: false, saving: false }
  }
}

/** Opens another panel over the same page, which keeps its search params, except those of the present panel. */
export function useOpenPanel(dropped: readonly string[] = []): (to: string) => void {
  const navigate = useNavigate()
  const params = Object.entries(useSearchParams()).filter(([name]) => !dropped.includes(name))
  return (to) =>
    void navigate(
      dropped.length === 0
        ? { to, search: true, resetScroll: false }
        : { href: withQuery(to, Object.fromEntries(params)), resetScroll: false },
    )
}
