import { useState, type ReactNode } from 'react'
import { can, useSession } from '#web/data/session.ts'
import { lazyPart } from '#web/engines/lazy-part.tsx'
import { GuestHeadingBar } from './guest-heading-bar.tsx'
import { GuestSidebar } from './guest-sidebar.tsx'
import classes from './shell.module.css'
import { useDownloads } from './use-downloads.ts'
import { useSidebar } from './use-sidebar.ts'

const SidebarOverlay = lazyPart(async () => (await import('./sidebar-overlay.tsx')).SidebarOverlay)

/** The frame of every page for people from outside: no search, no notifications, no realtime and no end for inactivity. */
export function GuestShell({ children }: { children: ReactNode }) {
  const session = useSession()
  const { mode, toggle } = useSidebar()
  const [menu, setMenu] = useState<'unused' | 'open' | 'closed'>('unused')
  const close = () => setMenu('closed')
  useDownloads(can(session, 'view_account_files') && !session.auth_user.via_preview)
  return (
    <div className={classes['shell']} data-sidebar={mode}>
      <a href="#content" className={classes['skip']}>
        Skip to the content
      </a>
      {mode !== 'overlay' && (
        <aside className={classes['side']}>
          <GuestSidebar open={mode === 'open'} onToggle={toggle} />
        </aside>
      )}
      {mode === 'overlay' && menu !== 'unused' && (
        <SidebarOverlay opened={menu === 'open'} onClose={close}>
          <GuestSidebar open onLeave={close} />
        </SidebarOverlay>
      )}
      <div>
        <GuestHeadingBar onMenu={mode === 'overlay' ? () => setMenu('open') : undefined} />
        <main id="content" className={classes['content']} tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  )
}
