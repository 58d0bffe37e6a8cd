import { ActionIcon, Tooltip, type ActionIconProps, type TooltipProps } from '@mantine/core'
import type { ComponentPropsWithRef, ReactNode } from 'react'

interface IconButtonProps extends ActionIconProps, Omit<ComponentPropsWithRef<'button'>, keyof ActionIconProps | 'name'> {
  /** The accessible name and the tooltip. */
  name: string
  tooltipPosition?: TooltipProps['position']
  /** While something that the button has opened takes the place of the tooltip. */
  hideTooltip?: boolean
  children: ReactNode
}

export function IconButton({ name, tooltipPosition = 'bottom', hideTooltip = false, children, ...rest }: IconButtonProps) {
  return (
    <Tooltip label={name} position={tooltipPosition} disabled={hideTooltip}>
      <ActionIcon variant="subtle" color="gray" size={32} aria-label={name} {...rest}>
        {children}
      </ActionIcon>
    </Tooltip>
  )
}
