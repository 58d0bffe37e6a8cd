import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import { Link } from '@tanstack/react-router'
import { IconButton } from '#web/ui/icon-button.tsx'
import { setHeadingSlot, setToolsSlot, useCurrentParent, useCurrentTitle } from '#web/ui/page-title.ts'
import classes from './heading-bar.module.css'
import { Help } from './help.tsx'
import { NotificationBell } from './notification-bell.tsx'
import { LiveChat } from './tool-button.tsx'

/** Title on the left; help, live chat and notifications on the right. */
export function HeadingBar({ onMenu }: { onMenu: (() => void) | undefined }) {
  const title = useCurrentTitle()
  const parent = useCurrentParent()
  return (
    <header className={classes['bar']}>
      {onMenu !== undefined && (
        <IconButton name="Open the menu" onClick={onMenu}>
          <IconMenu2 size={20} aria-hidden />
        </IconButton>
      )}
      {parent !== null && (
        <Link to={parent.href} className={classes['parent']}>
          <span>{parent.text}</span>
        </Link>
      )}
      <h1 className={classes['title']}>{title}</h1>
      <div ref={setHeadingSlot} className={classes['slot']} />
      <div className={classes['tools']}>
        <div ref={setToolsSlot} className={classes['slot']} />
        <Help label="Help" Icon={IconHelp} />
        <LiveChat Help={Help} />
        <NotificationBell />
      </div>
    </header>
  )
}
