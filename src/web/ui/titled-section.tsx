import type { ReactNode } from 'react'
import classes from './titled-section.module.css'

interface TitledSectionProps {
  title: string
  /** 2 for a part of a page. */
  level?: 2 | 3
  /** Next to the title. */
  action?: ReactNode
  children: ReactNode
}

/** A part of a panel, or of a page. */
export function TitledSection({ title, level = 3, action, children }: TitledSectionProps) {
  const Heading = `h${level}` as const
  return (
    <section className={classes['section']} aria-label={title}>
      <div className={classes['head']}>
        <Heading>{title}</Heading>
        {action}
      </div>
      {children}
    </section>
  )
}
