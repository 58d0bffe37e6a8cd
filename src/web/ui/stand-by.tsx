import type { ComponentPropsWithoutRef } from 'react'
import { Mark } from './mark.tsx'
import classes from './stand-by.module.css'

interface StandByProps extends ComponentPropsWithoutRef<'div'> {
  /** Instead of everything, over a page that stays underneath, or within the frame of the page. */
  kind?: 'whole' | 'over' | 'within'
  children: string
}

/** The whole screen says what it waits for. */
export function StandBy({ kind = 'whole', children, ...rest }: StandByProps) {
  return (
    <div className={[classes['overlay'], classes[kind]].filter(Boolean).join(' ')} role="status" {...rest}>
      <Mark size={56} swinging />
      <p className={classes['text']}>{children}</p>
    </div>
  )
}
