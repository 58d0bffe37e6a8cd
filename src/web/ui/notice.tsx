import { Text } from '@mantine/core'
import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import type { ReactNode } from 'react'
import classes from './notice.module.css'

const KINDS = {
  error: { Icon: IconAlertCircle, role: 'alert' },
  warning: { Icon: IconAlertTriangle, role: 'status' },
  info: { Icon: IconInfoCircle, role: 'status' },
} as const

interface NoticeProps {
  kind: keyof typeof KINDS
  title?: string
  children: ReactNode
}

export function Notice({ kind, title, children }: NoticeProps) {
  const { Icon, role } = KINDS[kind]
  return (
    <div className={classes['notice']} data-kind={kind} role={role}>
      <Icon size={18} aria-hidden />
      <div className={classes['text']}>
        {title !== undefined && (
          <Text fw={600} mb={2}>
            {title}
          </Text>
        )}
        {children}
      </div>
    </div>
  )
}
