import { Drawer } from '@mantine/core'
import { useHotkeys, useLocalStorage, useMediaQuery, type HotkeyItem } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { CHANNELS } from '#contract/events.ts'
import { SIDEBAR_COLLAPSE_PX } from '#contract/limits.ts'
import { MAINTENANCE_PERMISSION } from '#contract/maintenance.ts'
import { useChannel } from '#web/data/realtime.ts'
import { can, useIsGuest, useSession } from '#web/data/session.ts'
import { CutTextNote } from '#web/ui/cut-text-note.tsx'
import { GlobalSearch } from './global-search.tsx'
import { GuestSidebar } from './guest-sidebar.tsx'
import { HeadingBar } from './heading-bar.tsx'
import { InactivityWatch } from './inactivity.tsx'
import { MaintenanceBanner } from './maintenance-banner.tsx'
import classes from './shell.module.css'
import { Sidebar, type ShellModel } from './sidebar.tsx'
import { useDownloads } from './use-downloads.ts'

/** The frame of every page for a signed-in user. */
export function Shell({ models, children }: { models: readonly ShellModel[]; children: ReactNode }) {
  const session = useSession()
  // Over it the server ends the session, or makes the page refetch when rights have changed, also on pages without a list.
  useChannel(CHANNELS.user(session.auth_user.id))
  const { mode, toggle } = useSidebar()
  const [menu, setMenu] = useState(false)
  const [searching, setSearching] = useState(false)
  const guest = useIsGuest()
  const Side = guest ? GuestSidebar : Sidebar
  const allowed = models.filter(({ needs }) => can(session, needs))
  // In the same event, so that the field has the focus before the next key is pressed.
  const search = () =>
    flushSync(() => {
      setMenu(false)
      setSearching(true)
    })
  const searchable = can(session, 'view_global_search')
  if (searching && !searchable) setSearching(false)
  const searchKeys = (...keys: string[]) => (searchable ? keys.map((key): HotkeyItem => [key, search]) : [])
  // Some keyboards have the slash on the Shift level.
  useHotkeys(searchKeys('/', 'shift+/'))
  useHotkeys(searchKeys('mod+K'), [], true)
  useDownloads(can(session, 'view_account_files') && !session.auth_user.via_preview)
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
              <Side models={allowed} open onSearch={search} onLeave={() => setMenu(false)} />
            </div>
          </Drawer.Content>
        </Drawer.Root>
      ) : (
        <aside className={classes['side']}>
          <Side models={allowed} open={mode === 'open'} onToggle={toggle} onSearch={search} />
        </aside>
      )}
      <div className={classes['main']}>
        <HeadingBar onMenu={mode === 'overlay' ? () => setMenu(true) : undefined} />
        {can(session, MAINTENANCE_PERMISSION) && <MaintenanceBanner />}
        <main id="content" className={classes['content']} tabIndex={-1}>
          {children}
        </main>
      </div>
      {searching && <GlobalSearch groups={allowed.flatMap(({ found }) => found ?? [])} onClose={() => setSearching(false)} />}
      {!guest && <InactivityWatch />}
      <CutTextNote />
    </div>
  )
}

/** On narrower screens the sidebar covers the content and opens from the heading bar, which leaves a phone its whole width. */
const OVERLAY_BELOW_PX = 576

/** Open or closed as chosen; without a choice closed on screens narrower than 768 px. */
function useSidebar(): { mode: 'open' | 'closed' | 'overlay'; toggle: () => void } {
  const [choice, setChoice] = useLocalStorage<'open' | 'closed'>({ key: 'plumbline.sidebar', getInitialValueInEffect: false })
  const wide = useMediaQuery(`(min-width: ${SIDEBAR_COLLAPSE_PX}px)`, true, { getInitialValueInEffect: false })
  const roomy = useMediaQuery(`(min-width: ${OVERLAY_BELOW_PX}px)`, true, { getInitialValueInEffect: false })
  const chosen = choice === 'open' || (choice !== 'closed' && wide) ? 'open' : 'closed'
  return { mode: roomy ? chosen : 'overlay', toggle: () => setChoice(chosen === 'open' ? 'closed' : 'open') }
}
