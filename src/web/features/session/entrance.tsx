import type { ReactNode } from 'react'
import { productName } from '#web/data/session.ts'
import { Logo } from '#web/ui/logo.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import classes from './entrance.module.css'

interface EntranceProps {
  title: string
  lead?: ReactNode
  children: ReactNode
}

/** The frame of the pages outside the application: the mark, the name, one card. */
export function Entrance({ title, lead, children }: EntranceProps) {
  usePageTitle(title)
  return (
    <div className={classes['page']}>
      <main className={classes['middle']}>
        <div className={classes['brand']}>
          <Logo size={34} />
          {productName()}
        </div>
        <section className={classes['card']}>
          <h1 className={classes['title']}>{title}</h1>
          {lead !== undefined && <p className={classes['lead']}>{lead}</p>}
          <div className={classes['content']}>{children}</div>
        </section>
      </main>
    </div>
  )
}
