import type { ReactNode } from 'react'
import { productName } from '#web/data/session.ts'
import { Logo } from '#web/ui/logo.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import classes from './public-page.module.css'

interface PublicPageProps {
  title: string
  lead?: ReactNode
  /** For more than a form. */
  wide?: boolean
  children: ReactNode
}

/** The layout of the pages for signed-out users: logo, product name and one card. */
export function PublicPage({ title, lead, wide, children }: PublicPageProps) {
  usePageTitle(title)
  return (
    <div className={classes['page']}>
      <main className={classes['middle']}>
        <div className={classes['brand']}>
          <Logo size={34} />
          {productName()}
        </div>
        <section className={classes['card']} data-wide={wide}>
          <h1 className={classes['title']}>{title}</h1>
          {lead !== undefined && <p className={classes['lead']}>{lead}</p>}
          <div className={classes['content']}>{children}</div>
        </section>
      </main>
    </div>
  )
}
