import type { IconProps } from '@tabler/icons-react'
import IconPointFilled from '@tabler/icons-react/dist/esm/icons/IconPointFilled.mjs'
import IconTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconTriangleFilled.mjs'
import type { IssueGroup } from '#contract/imports.ts'

const MARKS = {
  error: { Icon: IconTriangleFilled, size: 11, color: 'var(--warning)', label: 'Stays out' },
  warning: { Icon: IconPointFilled, size: 14, color: 'var(--info)', label: 'To check' },
} as const

/** An amber triangle for a row that is not imported, a dot for a value that is imported but should be checked. */
export function IssueIcon({ severity, ...props }: { severity: IssueGroup['severity'] } & IconProps) {
  const { Icon, size, color, label } = MARKS[severity]
  return <Icon size={size} color={color} aria-label={label} {...props} />
}
