import { useQuery } from '@tanstack/react-query'
import type { Account } from '#contract/accounts.ts'
import { formatDate, formatMoney, plural } from '#contract/format.ts'
import { accountQueries } from '#web/data/account-queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { LoadFailure } from '#web/engines/loaded.tsx'
import { StretchedLink } from '#web/engines/metric/stretched-link.tsx'
import { paths } from '#web/paths.ts'
import { Card, CardSkeleton } from './card.tsx'
import type { Visit } from './last-visit.ts'
import classes from './overview.module.css'

const LARGEST = '8'

/** What the server answers about the time since the last visit: the same lists that the lines open. */
export function useSince({ id, properties, files }: Account, visit: Visit | null) {
  const seesProperties = useCan()('view_account_properties') && properties !== null
  const at = visit?.at ?? ''
  const of = { filter__account_id: id }
  const byValue = { sort: 'tiv', order: 'desc', paginate: LARGEST }
  const propertiesOf = (query: Record<string, string>) => ({
    ...accountQueries.properties({ ...of, ...query }),
    enabled: visit !== null && seesProperties,
  })
  const documentsOf = (sov: string) => ({
    ...accountQueries.documents({ ...of, filter__sov: sov, filter__added_since: at, paginate: '1' }),
    enabled: visit !== null && files !== null,
  })
  const added = useQuery(propertiesOf({ filter__status: 'active', filter__added_since: at, ...byValue }))
  const changed = useQuery(propertiesOf({ filter__status: 'active', filter__changed_since: at, paginate: '1' }))
  const divested = useQuery(propertiesOf({ filter__status: 'divested', filter__changed_since: at, paginate: '1' }))
  const disclosed = useQuery(documentsOf('0'))
  const submission = useQuery(documentsOf('1'))
  const asked = [...(seesProperties ? [added, changed, divested] : []), ...(files === null ? [] : [disclosed, submission])]
  const newIds = new Set(added.data?.data.map((row) => row.id))
  return {
    added: added.data?.meta,
    changed: changed.data?.meta,
    divested: divested.data?.meta,
    disclosed: disclosed.data?.meta,
    submission: submission.data?.meta,
    isLoaded: asked.every(({ data }) => data !== undefined),
    failed: asked.find(({ data, isError }) => data === undefined && isError),
    isNewProperty: (propertyId: string) => newIds.has(propertyId),
    isNewDocument: (createdAt: string) => visit !== null && createdAt > visit.at,
  }
}

interface SinceCardProps {
  account: Account
  visit: Visit
  since: ReturnType<typeof useSince>
}

const HEIGHT_PX = 120

/** What is new since the last visit in this browser. Each line opens exactly what it counts. */
export function SinceCard({ account, visit, since }: SinceCardProps) {
  const day = formatDate(visit.at, useSession().auth_user.company.timezone)
  const lines = linesOf(account, visit, since)
  const before = visit.currency !== null && visit.currency === account.currency ? visit.tiv : null
  const difference = before === null || account.tiv === null ? 0 : account.tiv - before
  if (since.failed !== undefined || !since.isLoaded)
    return (
      <Card title="Since your last visit" aside={day}>
        {since.failed === undefined ? (
          <CardSkeleton heightPx={HEIGHT_PX} />
        ) : (
          <LoadFailure query={since.failed} title="What has changed could not be loaded." />
        )}
      </Card>
    )
  if (lines.length === 0 && difference === 0) return <p className={classes['nothing']}>{`Nothing has changed since ${day}`}</p>
  return (
    <Card title="Since your last visit" aside={<span title="Seen in this browser">{day}</span>}>
      <ul className={classes['since']}>
        {lines.map(({ text, effect, to }) => (
          <li key={text}>
            <StretchedLink to={to}>{text}</StretchedLink>
            {effect !== undefined && <span className="tabular">{effect}</span>}
          </li>
        ))}
      </ul>
      {before !== null && difference !== 0 && (
        <p className={classes['sum']}>
          <span>
            <b>Total insured value</b>
            <small>{`was ${formatMoney(before, visit.currency)}`}</small>
          </span>
          <b>{signed(difference, visit.currency)}</b>
        </p>
      )}
    </Card>
  )
}

const signed = (amount: number, currency: string | null) => `${amount < 0 ? '−' : '+'}${formatMoney(Math.abs(amount), currency)}`

function linesOf({ id, currency }: Account, { at }: Visit, { added, changed, divested, disclosed, submission }: SinceCardProps['since']) {
  const value = added?.totals?.['tiv'] ?? 0
  const inProperties = (filters: Record<string, string>) => paths.since(id, 'properties', filters)
  const inDocuments = (sov: string) => paths.since(id, 'files', { filter__sov: sov, filter__added_since: at })
  const properties = (count: number) => plural(count, 'property', 'properties')
  return [
    {
      count: added?.total ?? 0,
      text: (count: number) => `${properties(count)} added`,
      effect: currency !== null && value > 0 ? signed(value, currency) : undefined,
      to: inProperties({ filter__added_since: at }),
    },
    {
      count: changed?.total ?? 0,
      text: (count: number) => `${properties(count)} changed`,
      to: inProperties({ filter__changed_since: at }),
    },
    {
      count: divested?.total ?? 0,
      text: (count: number) => `${plural(count, 'divested property', 'divested properties')} changed`,
      to: inProperties({ filter__status: 'divested', filter__changed_since: at }),
    },
    { count: disclosed?.total ?? 0, text: (count: number) => `${plural(count, 'disclosed document')} added`, to: inDocuments('0') },
    { count: submission?.total ?? 0, text: (count: number) => `${plural(count, 'submission document')} added`, to: inDocuments('1') },
  ].flatMap(({ count, text, effect, to }: Line) => (count === 0 ? [] : [{ text: text(count), effect, to }]))
}

interface Line {
  count: number
  text: (count: number) => string
  /** On the total insured value, where it is known. */
  effect?: string | undefined
  to: string
}
