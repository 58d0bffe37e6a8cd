import type { ComponentProps } from 'react'

interface ScrollRegionProps extends Omit<ComponentProps<'div'>, 'role' | 'tabIndex'> {
  label: string
}

/** An area that scrolls, so that it can have the focus and be scrolled with the keyboard. */
export function ScrollRegion({ label, ...props }: ScrollRegionProps) {
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled area must be reachable by keyboard
  return <div {...props} tabIndex={0} role="region" aria-label={label} />
}
