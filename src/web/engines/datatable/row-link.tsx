import { Link, useRouter } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import classes from './table.module.css'

interface RowLinkProps {
  to: string
  className?: string | undefined
  children: ReactNode
}

const isPlainClick = (event: MouseEvent) => event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

/** A plain anchor that the router follows: its own link watches the whole address, which a thousand rows cannot afford. */
export function RowLink({ to, className, children }: RowLinkProps) {
  const router = useRouter()
  const prepare = () => void router.preloadRoute({ to: to.replace(/\?.*/, '') })
  const follow = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    router.history.push(to)
  }
  return (
    <a href={to} className={className} data-walk="open" onClick={follow} onMouseEnter={prepare} onFocus={prepare}>
      {children}
    </a>
  )
}

/** A link that came with the data: followed only inside the application or to the web. */
export function SafeCellLink({ to, children }: { to: string; children: ReactNode }) {
  if (to.startsWith('/') && !to.startsWith('//')) {
    return (
      <Link to={to} className={classes['link'] ?? ''}>
        {children}
      </Link>
    )
  }
  if (!/^(https?:|mailto:)/.test(to)) return children
  return (
    <a href={to} className={classes['link']} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
