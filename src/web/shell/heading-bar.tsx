import { Button, Popover, Skeleton } from '@mantine/core'
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import IconMessageCircle from '@tabler/icons-react/dist/esm/icons/IconMessageCircle.mjs'
import IconPhone from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useCan, useSession } from '#web/data/session.ts'
import { lazyPart } from '#web/engines/lazy-part.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { setHeadingSlot, setToolsSlot, useCurrentParent, useCurrentTitle } from '#web/ui/page-title.ts'
import classes from './heading-bar.module.css'
import { NotificationBell } from './notification-bell.tsx'

const HelpForm = lazyPart(async () => (await import('./help-form.tsx')).HelpForm, { fallback: <Skeleton height={140} /> })

const CHAT = { 'aria-label': 'Live Chat', 'data-tour': 'chat' }
const TOOL = { variant: 'subtle', color: 'gray', px: 10, c: 'var(--ink)', fz: 14, fw: 500 } as const

/** Title on the left; help, live chat and notifications on the right. Guests get no notifications. */
export function HeadingBar({ onMenu }: { onMenu: (() => void) | undefined }) {
  const { via_invite, via_share_link } = useSession().auth_user
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
        <LiveChat />
        {!via_invite && !via_share_link && <NotificationBell />}
      </div>
    </header>
  )
}

interface HelpProps {
  label: string
  Icon: typeof IconHelp
  note?: string
}

/** A form that reports a problem, and how to reach support. It stays while it is open: something may be entered in it. */
function Help({ label, Icon: HelpIcon, note }: HelpProps) {
  const mayReport = useCan()('view_help_request')
  const [opened, setOpened] = useState(false)
  const { support_phone: phone, support_email: email, provider } = useSession().config
  const contacts = [
    { text: phone, href: `tel:${phone.replace(/[^\d+]/g, '')}`, Icon: IconPhone },
    { text: email, href: `mailto:${email}`, Icon: IconMail },
  ].filter(({ text }) => text !== '')
  if (!mayReport && !opened) return null
  return (
    <Popover position="bottom-end" width={320} opened={opened} onChange={setOpened} trapFocus returnFocus>
      <Popover.Target>
        <Button
          {...TOOL}
          leftSection={<HelpIcon size={18} aria-hidden />}
          {...(label === CHAT['aria-label'] ? CHAT : {})}
          aria-label={label}
          onClick={() => setOpened(!opened)}
        >
          <span className="mantine-visible-from-sm">{label}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        {note !== undefined && <p className={classes['note']}>{note}</p>}
        <HelpForm />
        {contacts.length > 0 && (
          <ul className={classes['contacts']} aria-label={`Contact ${provider}`}>
            {contacts.map(({ text, href, Icon }) => (
              <li key={href}>
                <a href={href}>
                  <Icon size={16} aria-hidden /> {text}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

/** The configured chat, else a mail to support, else a message to the administrators, for users who can report problems. */
function LiveChat() {
  const { chat_url: chat, support_email: email } = useSession().config
  if (chat === '' && email === '')
    return (
      <Help label="Live Chat" Icon={IconMessageCircle} note="There is no live chat here. An administrator gets your message by email." />
    )
  const link = chat === '' ? { href: `mailto:${email}` } : { href: chat, target: '_blank', rel: 'noreferrer' }
  return (
    <Button {...TOOL} component="a" {...link} leftSection={<IconMessageCircle size={18} aria-hidden />} {...CHAT}>
      <span className="mantine-visible-from-sm">Live Chat</span>
    </Button>
  )
}
