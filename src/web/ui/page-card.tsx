import { useId, type ReactNode } from 'react'
import classes from './page-card.module.css'

/** The cards of a page: two columns on wide screens. */
export const PageCards = ({ children }: { children: ReactNode }) => <div className={classes['cards']}>{children}</div>

interface PageCardProps {
  title: string
  /** A sentence below the title. */
  help?: ReactNode
  /** Next to the title. */
  action?: ReactNode
  /** Over all columns. */
  wide?: boolean
  children: ReactNode
}

/** A part of a page with its own title. */
export function PageCard({ title, help, action, wide = false, children }: PageCardProps) {
  const id = useId()
  return (
    <section className={classes['card']} data-wide={wide || undefined} aria-labelledby={id}>
      <div className={classes['head']}>
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      {help !== undefined && <p role="status">{help}</p>}
      {children}
    </section>
  )
}
