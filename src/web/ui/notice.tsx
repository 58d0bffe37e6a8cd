import { Alert } from '@mantine/core'
import IconAlertCircle from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import type { ReactNode } from 'react'

const KINDS = {
  error: { Icon: IconAlertCircle, role: 'alert', color: 'var(--critical)' },
  warning: { Icon: IconAlertTriangle, role: 'status', color: 'var(--warning)' },
  info: { Icon: IconInfoCircle, role: 'status', color: 'var(--info)' },
} as const

export function Notice({ kind, title, children }: { kind: keyof typeof KINDS; title?: string; children: ReactNode }) {
  const { Icon, role, color } = KINDS[kind]
  return (
    <Alert role={role} color={color} title={title} icon={<Icon size={18} aria-hidden />} px={12} py={10}>
      {children}
    </Alert>
  )
}
