import { ActionIcon } from '@mantine/core'
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan } from '#web/data/session.ts'
import { lazyPart } from '#web/engines/lazy-part.tsx'
import { setHeadingSlot, setToolsSlot, useCurrentParent, useCurrentTitle } from '#web/ui/page-title.ts'
import classes from './heading-bar.module.css'
import { LiveChat, ToolButton, type HelpProps } from './tool-button.tsx'

/** The heading bar of people from outside, who get no notifications. What opens over the page loads when it is opened. */
export function GuestHeadingBar({ onMenu }: { onMenu: (() => void) | undefined }) {
  const title = useCurrentTitle()
  const parent = useCurrentParent()
  return (
    <header className={classes['bar']}>
      {onMenu !== undefined && (
        <ActionIcon variant="subtle" color="gray" size={32} aria-label="Open the menu" onClick={onMenu}>
          <IconMenu2 size={20} aria-hidden />
        </ActionIcon>
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
        <LaterHelp label="Help" Icon={IconHelp} />
        <LiveChat Help={LaterHelp} />
      </div>
    </header>
  )
}

const Help = lazyPart<HelpProps & { initiallyOpen?: boolean }>(async () => (await import('./help.tsx')).Help, {
  fallback: ({ label, Icon }) => <ToolButton label={label} Icon={Icon} />,
})

function LaterHelp(props: HelpProps) {
  const mayReport = useCan()('view_help_request')
  const [wanted, setWanted] = useState(false)
  if (wanted) return <Help {...props} initiallyOpen />
  return mayReport && <ToolButton label={props.label} Icon={props.Icon} onClick={() => setWanted(true)} />
}
