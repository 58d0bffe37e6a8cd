import { Skeleton } from '@mantine/core'
import { useId, type ReactNode } from 'react'
import classes from './overview.module.css'

interface CardProps {
  title: string
  aside?: ReactNode
  children: ReactNode
}

export function Card({ title, aside, children }: CardProps) {
  const id = useId()
  return (
    <section className={classes['card']} aria-labelledby={id}>
      <div className={classes['head']}>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <span>{aside}</span>}
      </div>
      {children}
    </section>
  )
}

/** As high as the content that replaces it. */
export const CardSkeleton = ({ heightPx }: { heightPx: number }) => (
  <Skeleton height={heightPx} radius={0} role="status" aria-label="Loading" />
)

export const NewTag = () => <span className={classes['new']}>New</span>
