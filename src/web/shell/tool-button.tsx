import { Button, type ButtonProps } from '@mantine/core'
import IconMessageCircle from '@tabler/icons-react/dist/esm/icons/IconMessageCircle.mjs'
import type { ComponentPropsWithRef, ComponentType } from 'react'
import { useLiveChat } from '#web/data/live-chat.ts'

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

/** What the live chat is here; without one, a message to the administrators. */
export function LiveChat({ Help }: { Help: ComponentType<HelpProps> }) {
  const chat = useLiveChat()
  if (chat === undefined) return null
  if (chat === 'report')
    return <Help label={CHAT} Icon={IconMessageCircle} note="There is no live chat here. An administrator gets your message by email." />
  return (
    <Button
      {...TOOL}
      component="a"
      {...chat}
      rel="noreferrer"
      leftSection={<IconMessageCircle size={18} aria-hidden />}
      {...tourOf(CHAT)}
      aria-label={CHAT}
    >
      <span className="mantine-visible-from-sm">{CHAT}</span>
    </Button>
  )
}
