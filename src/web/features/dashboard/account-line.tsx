import { Link } from '@tanstack/react-router'
import IconLayoutSidebarRightExpand from '@tabler/icons-react/dist/esm/icons/IconLayoutSidebarRightExpand.mjs'
import type { AccountRow } from '#contract/accounts.ts'
import { useFavorite } from '#web/data/favorite.ts'
import { useSession } from '#web/data/session.ts'
import { showError } from '#web/engines/show-error.ts'
import { paths } from '#web/paths.ts'
import { FavoriteButton } from '#web/ui/favorite-button.tsx'
import { formatAgo } from '#contract/format.ts'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { useNow } from '#web/ui/use-now.ts'
import classes from './account-list.module.css'

const FALLBACK_COLOR = 'var(--line-strong)'

/** An account in a list of the dashboard: its name opens it, the last button looks at it without leaving. */
export function AccountLine({ row }: { row: AccountRow }) {
  const zone = useSession().auth_user.company.timezone
  const now = useNow()
  const favorite = useFavorite(showError)
  const { id, name, account_number: number, status, properties, tiv, updated_at: updated } = row
  return (
    <tr>
      <td className={classes['tool']}>
        <FavoriteButton favorite={row.favorite} of={name.text} onToggle={(next) => favorite.mutate({ id, favorite: next })} />
      </td>
      <td className={classes['name']}>
        <Link to={paths.account(id)} title={name.text}>
          {name.text}
        </Link>
        {number.text !== '' && <span className={classes['number']}>{number.text}</span>}
      </td>
      <td>
        {status.text === '' ? (
          '–'
        ) : (
          <StatusDot color={status.class === undefined || status.class === '' ? FALLBACK_COLOR : status.class} name={status.text} />
        )}
      </td>
      <td data-number>{properties.text}</td>
      <td data-number>{tiv.text}</td>
      <td className={classes['when']} title={updated.text}>
        {typeof updated.value === 'string' ? formatAgo(updated.value, zone, now) : updated.text}
      </td>
      <td className={classes['tool']}>
        <Link
          to={paths.quickView(id)}
          search={true}
          className={classes['quick'] ?? ''}
          aria-label={`Quick view of ${name.text}`}
          title="Quick view"
          resetScroll={false}
        >
          <IconLayoutSidebarRightExpand size={18} aria-hidden />
        </Link>
      </td>
    </tr>
  )
}
