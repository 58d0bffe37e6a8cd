import { useHotkeys, type HotkeyItem } from '@mantine/hooks'
import { useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { CHANNELS } from '#contract/events.ts'
import { MAINTENANCE_PERMISSION } from '#contract/maintenance.ts'
import { useChannel } from '#web/data/realtime.ts'
import { can, useSession } from '#web/data/session.ts'
import { CutTextNote } from '#web/ui/cut-text-note.tsx'
import { GlobalSearch } from './global-search.tsx'
import { HeadingBar } from './heading-bar.tsx'
import { InactivityWatch } from './inactivity.tsx'
import { MaintenanceBanner } from './maintenance-banner.tsx'
import classes from './shell.module.css'
import { SidebarOverlay } from './sidebar-overlay.tsx'
import { Sidebar, type ShellModel } from './sidebar.tsx'
import { useDownloads } from './use-downloads.ts'
import { useSidebar } from './use-sidebar.ts'

/** The frame of every page for a signed-in user; people from outside have their own. */
export function Shell({ models, children }: { models: readonly ShellModel[]; children: ReactNode }) {
  const session = useSession()
  // Over it the server ends the session, or makes the page refetch when rights have changed, also on pages without a list.
  useChannel(CHANNELS.user(session.auth_user.id))
  const { mode, toggle } = useSidebar()
  const [menu, setMenu] = useState(false)
  const [searching, setSearching] = useState(false)
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
  useDownloads(can(session, 'view_account_files'))
  return (
    <div className={classes['shell']} data-sidebar={mode}>
      <a href="#content" className={classes['skip']}>
        Skip to the content
      </a>
      {mode === 'overlay' ? (
        <SidebarOverlay opened={menu} onClose={() => setMenu(false)}>
          <Sidebar models={allowed} open onSearch={search} onLeave={() => setMenu(false)} />
        </SidebarOverlay>
      ) : (
        <aside className={classes['side']}>
          <Sidebar models={allowed} open={mode === 'open'} onToggle={toggle} onSearch={search} />
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
      <InactivityWatch />
      <CutTextNote />
    </div>
  )
}
