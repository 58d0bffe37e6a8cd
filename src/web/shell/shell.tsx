import { Drawer } from '@mantine/core'
import { useLocalStorage, useMediaQuery, useWindowEvent } from '@mantine/hooks'
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { SIDEBAR_COLLAPSE_PX } from '#contract/limits.ts'
import { onPageEvent } from '#web/data/page-events.ts'
import { pendingDownloads } from '#web/data/pending-downloads.ts'
import { can, useSession } from '#web/data/session.ts'
import { startDownload } from '#web/ui/download.ts'
import { toast } from '#web/ui/toast.tsx'
import { HeadingBar } from './heading-bar.tsx'
import { InactivityWatch } from './inactivity.tsx'
import classes from './shell.module.css'
import { Sidebar, type ShellModel } from './sidebar.tsx'

const GlobalSearch = lazy(() => import('./global-search.tsx').then(({ GlobalSearch: component }) => ({ default: component })))

/** The frame of every page for a signed-in user. */
export function Shell({ models, children }: { models: readonly ShellModel[]; children: ReactNode }) {
  const session = useSession()
  const { mode, toggle } = useSidebar()
  const [menu, setMenu] = useState(false)
  const [searching, setSearching] = useState(false)
  const guest = session.auth_user.via_invite || session.auth_user.via_share_link
  const allowed = models.filter(({ needs }) => can(session, needs))
  const search = () => {
    setMenu(false)
    setSearching(true)
  }
  useSearchKeys(search, can(session, 'view_global_search'))
  useFinishedDownloads()
  return (
    <div className={classes['shell']} data-sidebar={mode}>
      <a href="#content" className={classes['skip']}>
        Skip to the content
      </a>
      {mode === 'overlay' ? (
        <Drawer.Root opened={menu} onClose={() => setMenu(false)} position="left" size={232}>
          <Drawer.Overlay backgroundOpacity={0.4} />
          <Drawer.Content aria-label="Menu">
            <div className={classes['drawer']}>
              <Sidebar models={allowed} open onSearch={search} onLeave={() => setMenu(false)} />
            </div>
          </Drawer.Content>
        </Drawer.Root>
      ) : (
        <aside className={classes['side']}>
          <Sidebar models={allowed} open={mode === 'open'} onToggle={toggle} onSearch={search} />
        </aside>
      )}
      <div className={classes['main']}>
        <HeadingBar onMenu={mode === 'overlay' ? () => setMenu(true) : undefined} />
        <main id="content" className={classes['content']} tabIndex={-1}>
          {children}
        </main>
      </div>
      {searching && (
        <Suspense>
          <GlobalSearch models={allowed} onClose={() => setSearching(false)} />
        </Suspense>
      )}
      {!guest && <InactivityWatch />}
    </div>
  )
}

/** On narrower screens the sidebar covers the content and opens from the heading bar, which leaves a phone its whole width. */
const OVERLAY_BELOW_PX = 576

/** Open or closed as chosen; without a choice closed on screens narrower than 768 px. */
function useSidebar(): { mode: 'open' | 'closed' | 'overlay'; toggle: () => void } {
  const [choice, setChoice] = useLocalStorage<'open' | 'closed' | 'none'>({
    key: 'plumbline.sidebar',
    defaultValue: 'none',
    getInitialValueInEffect: false,
  })
  const wide = useMediaQuery(`(min-width: ${SIDEBAR_COLLAPSE_PX}px)`, true, { getInitialValueInEffect: false })
  const roomy = useMediaQuery(`(min-width: ${OVERLAY_BELOW_PX}px)`, true, { getInitialValueInEffect: false })
  const chosen = choice === 'none' ? (wide ? 'open' : 'closed') : choice
  return { mode: roomy ? chosen : 'overlay', toggle: () => setChoice(chosen === 'open' ? 'closed' : 'open') }
}

const TEXT_ENTRY = 'input, textarea, select, [contenteditable]'

/** `/` outside of fields and Ctrl or Cmd with K anywhere open the search. */
function useSearchKeys(open: () => void, enabled: boolean): void {
  useWindowEvent('keydown', (event) => {
    const typing = event.target instanceof Element && event.target.closest(TEXT_ENTRY) !== null
    const slash = event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey
    const command = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
    if (!enabled || (!slash && !command)) return
    event.preventDefault()
    open()
  })
}

/** Starts the download of a finished archive or export, on any page. */
function useFinishedDownloads(): void {
  useEffect(() => {
    const stops = [
      onPageEvent('download-ready', ({ url, fileName }) => startDownload(url, fileName)),
      onPageEvent('download-failed', () => toast.alert('Failed to generate Zip, contact support for assistance.')),
    ]
    pendingDownloads.resume()
    return () => {
      for (const stop of stops) stop()
    }
  }, [])
}
