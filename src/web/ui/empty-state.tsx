import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

interface EmptyStateProps {
  /** Says what belongs here. */
  title: string
  children?: ReactNode
  /** The first step, if the person may take one. */
  action?: ReactNode
  icon?: ReactNode
}

/** What stands where nothing is yet. */
export function EmptyState({ title, children, action, icon }: EmptyStateProps) {
  return (
    <div className={classes['empty']}>
      {icon !== undefined && <span className={classes['icon']}>{icon}</span>}
      <p className={classes['title']}>{title}</p>
      {children !== undefined && <p className={classes['text']}>{children}</p>}
      {action !== undefined && <div className={classes['action']}>{action}</div>}
    </div>
  )
}
