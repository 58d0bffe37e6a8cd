import { Popover, Skeleton } from '@mantine/core'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconPhone from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs'
import { useState } from 'react'
import { telephoneLink } from '#contract/format.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { lazyPart } from '#web/engines/lazy-part.tsx'
import classes from './heading-bar.module.css'
import { ToolButton, type HelpProps } from './tool-button.tsx'

const HelpForm = lazyPart(async () => (await import('./help-form.tsx')).HelpForm, { fallback: <Skeleton height={140} /> })

/** A form that reports a problem, and how to reach support. It stays while it is open: something may be entered in it. */
export function Help({ label, Icon: HelpIcon, note, initiallyOpen = false }: HelpProps & { initiallyOpen?: boolean }) {
  const mayReport = useCan()('view_help_request')
  const [opened, setOpened] = useState(initiallyOpen)
  const { support_phone: phone, support_email: email, provider } = useSession().config
  const contacts = [
    { text: phone, href: telephoneLink(phone), Icon: IconPhone },
    { text: email, href: `mailto:${email}`, Icon: IconMail },
  ].filter(({ text }) => text !== '')
  if (!mayReport && !opened) return null
  return (
    <Popover position="bottom-end" width={320} opened={opened} onChange={setOpened} trapFocus returnFocus>
      <Popover.Target>
        <ToolButton label={label} Icon={HelpIcon} onClick={() => setOpened(!opened)} />
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
