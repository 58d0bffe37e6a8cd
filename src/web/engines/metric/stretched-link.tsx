import { Link } from '@tanstack/react-router'
import type { ComponentPropsWithoutRef } from 'react'
import classes from './metric.module.css'

interface StretchedLinkProps extends Pick<ComponentPropsWithoutRef<'a'>, 'aria-label' | 'onFocus' | 'onBlur'> {
  to: string | undefined
  children: string
}

/** A link whose click area covers the positioned element around it; plain text without an address. */
export function StretchedLink({ to, children, ...rest }: StretchedLinkProps) {
  if (to === undefined) return children
  return (
    <Link to={to} className={classes['stretchedLink']} {...rest}>
      {children}
    </Link>
  )
}
