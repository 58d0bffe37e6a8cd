import { Drawer } from '@mantine/core'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { can, useSession } from '#web/data/session.ts'
import { DownloadWatch } from './download-watch.tsx'
import { HeadingBar } from './heading-bar.tsx'
import { InactivityWatch } from './inactivity.tsx'
import classes from './shell.module.css'
import { Sidebar } from './sidebar.tsx'
import { useSearchKeys } from './use-search-keys.ts'
import { useSidebar } from './use-sidebar.ts'

const GlobalSearch = lazy(() => import('./global-search.tsx').then(({ GlobalSearch: component }) => ({ default: component })))

/** The frame of every page for a signed-in person. */
export function Shell({ children }: { children: ReactNode }) {
  const session = useSession()
  const { mode, toggle } = useSidebar()
  const [menu, setMenu] = useState(false)
  const [searching, setSearching] = useState(false)
  const guest = session.auth_user.via_invite || session.auth_user.via_share_link
  const search = () => {
    setMenu(false)
    setSearching(true)
  }
  useSearchKeys(search, can(session, 'view_global_search'))
  return (
    <div className={classes['shell']} data-sidebar={mode}>
      <a href="#content" className={classes['skip']}>
        Skip to the content
      </a>
      {mode === 'overlay' ? (
        <Menu opened={menu} onClose={() => setMenu(false)} onSearch={search} />
      ) : (
        <aside className={classes['side']}>
          <Sidebar open={mode === 'open'} onToggle={toggle} onSearch={search} />
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
          <GlobalSearch onClose={() => setSearching(false)} />
        </Suspense>
      )}
      <DownloadWatch />
      {!guest && <InactivityWatch />}
    </div>
  )
}

/** On a phone the sidebar lies over the content. */
function Menu({ opened, onClose, onSearch }: { opened: boolean; onClose: () => void; onSearch: () => void }) {
  return (
    <Drawer.Root opened={opened} onClose={onClose} position="left" size={232}>
      <Drawer.Overlay backgroundOpacity={0.4} />
      <Drawer.Content aria-label="Menu">
        <div className={classes['drawer']}>
          <Sidebar open onSearch={onSearch} onLeave={onClose} />
        </div>
      </Drawer.Content>
    </Drawer.Root>
  )
}
