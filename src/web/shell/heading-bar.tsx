import { Anchor, Button, Menu } from '@mantine/core'
import IconHelp from '@tabler/icons-react/dist/esm/icons/IconHelp.mjs'
import IconMail from '@tabler/icons-react/dist/esm/icons/IconMail.mjs'
import IconMenu2 from '@tabler/icons-react/dist/esm/icons/IconMenu2.mjs'
import IconMessageCircle from '@tabler/icons-react/dist/esm/icons/IconMessageCircle.mjs'
import IconPhone from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs'
import { useCan, useSession } from '#web/data/session.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useCurrentTitle } from '#web/ui/page-title.ts'
import classes from './heading-bar.module.css'

/** Title on the left; help and live chat on the right. */
export function HeadingBar({ onMenu }: { onMenu: (() => void) | undefined }) {
  const can = useCan()
  const title = useCurrentTitle()
  return (
    <header className={classes['bar']}>
      {onMenu !== undefined && (
        <IconButton name="Open the menu" onClick={onMenu}>
          <IconMenu2 size={20} aria-hidden />
        </IconButton>
      )}
      <h1 className={classes['title']}>{title}</h1>
      <div className={classes['tools']}>
        {can('view_help_request') && <Help />}
        <LiveChat />
      </div>
    </header>
  )
}

function Help() {
  const { config } = useSession()
  // Without contact data there is nothing to offer.
  if (config.support_phone === '' && config.support_email === '') return null
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconHelp size={18} aria-hidden />}
          className={classes['tool'] ?? ''}
          aria-label="Help"
        >
          <span className={classes['word']}>Help</span>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Contact {config.provider}</Menu.Label>
        {config.support_phone !== '' && (
          <Menu.Item
            component="a"
            href={`tel:${config.support_phone.replace(/[^\d+]/g, '')}`}
            leftSection={<IconPhone size={16} aria-hidden />}
          >
            {config.support_phone}
          </Menu.Item>
        )}
        {config.support_email !== '' && (
          <Menu.Item component="a" href={`mailto:${config.support_email}`} leftSection={<IconMail size={16} aria-hidden />}>
            {config.support_email}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** The configured chat, else a mail to support. */
function LiveChat() {
  const { config } = useSession()
  const mail = config.support_email === '' ? undefined : `mailto:${config.support_email}`
  const href = config.chat_url === '' ? mail : config.chat_url
  if (href === undefined) return null
  return (
    <Anchor
      href={href}
      {...(config.chat_url === '' ? {} : { target: '_blank', rel: 'noreferrer' })}
      className={classes['chat'] ?? ''}
      underline="never"
      aria-label="Live Chat"
    >
      <IconMessageCircle size={18} aria-hidden />
      <span className={classes['word']}>Live Chat</span>
    </Anchor>
  )
}
