import type { ReactNode } from 'react'
import classes from './titled-section.module.css'

interface TitledSectionProps {
  title: string
  /** Next to the title. */
  action?: ReactNode
  children: ReactNode
}

/** A part of a panel. */
export const TitledSection = ({ title, action, children }: TitledSectionProps) => (
  <section className={classes['section']} aria-label={title}>
    <div className={classes['head']}>
      <h3>{title}</h3>
      {action}
    </div>
    {children}
  </section>
)
