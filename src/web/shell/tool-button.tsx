import { Button, type ButtonProps } from '@mantine/core'
import IconMessageCircle from '@tabler/icons-react/dist/esm/icons/IconMessageCircle.mjs'
import type { ComponentPropsWithRef, ComponentType } from 'react'
import { useSession } from '#web/data/session.ts'

const TOOL = { variant: 'subtle', color: 'gray', px: 10, c: 'var(--ink)', fz: 14, fw: 500 } as const
const CHAT = 'Live Chat'
/** The tour shows it. */
const tourOf = (label: string) => (label === CHAT ? { 'data-tour': 'chat' } : {})

export interface HelpProps {
  label: string
  Icon: typeof IconMessageCircle
  note?: string
}

/** A button of the heading bar; on a phone it shows its icon only. */
export function ToolButton({ label, Icon, ...rest }: HelpProps & ButtonProps & Pick<ComponentPropsWithRef<'button'>, 'ref' | 'onClick'>) {
  return (
    <Button {...TOOL} leftSection={<Icon size={18} aria-hidden />} {...tourOf(label)} aria-label={label} {...rest}>
      <span className="mantine-visible-from-sm">{label}</span>
    </Button>
  )
}

/** The configured chat, else a mail to support, else a message to the administrators, for users who can report problems. */
export function LiveChat({ Help }: { Help: ComponentType<HelpProps> }) {
  const { chat_url: chat, support_email: email } = useSession().config
  if (chat === '' && email === '')
    return <Help label={CHAT} Icon={IconMessageCircle} note="There is no live chat here. An administrator gets your message by email." />
  const link = chat === '' ? { href: `mailto:${email}` } : { href: chat, target: '_blank', rel: 'noreferrer' }
  return (
    <Button {...TOOL} component="a" {...link} leftSection={<IconMessageCircle size={18} aria-hidden />} {...tourOf(CHAT)} aria-label={CHAT}>
      <span className="mantine-visible-from-sm">{CHAT}</span>
    </Button>
  )
}
