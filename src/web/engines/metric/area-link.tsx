import { Link } from '@tanstack/react-router'
import wholeArea from '#web/ui/whole-area.module.css'

/** The words of a line or tile, as the link of the whole of it where it leads somewhere. */
export function AreaLink({ to, children }: { to: string | undefined; children: string }) {
  if (to === undefined) return children
  return (
    <Link to={to} className={wholeArea['link']}>
      {children}
    </Link>
  )
}
