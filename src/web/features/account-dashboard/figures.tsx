import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { knownTiv, registerTotals, type Account } from '#contract/accounts.ts'
import type { PageMeta } from '#contract/datatable.ts'
import { formatMoney, formatNumber } from '#contract/format.ts'
import { shortType } from '#contract/property-vocabularies.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import tile from '#web/engines/metric/metric.module.css'
import { slicesOf } from '#web/engines/metric/pie-slices.ts'
import { formatSliceShare } from '#web/engines/metric/slice-share.ts'
import { StretchedLink } from '#web/engines/metric/stretched-link.tsx'
import { valueParts } from '#web/engines/metric/value-parts.ts'
import { paths } from '#web/paths.ts'
import { CountUp } from '#web/ui/count-up.tsx'
import classes from './overview.module.css'

interface Totals {
  meta: PageMeta | undefined
  /** Whether the account has changed since, and newer totals are on their way. */
  areOld: boolean
}

/** The totals of the list of active properties, without its rows. */
function useTotals(account: Account): Totals {
  const enabled = useCan()('view_account_properties')
  const query = queries.index('account_properties', { filter__account_id: account.id, filter__status: 'active', paginate: '1' })
  const { data, isFetching } = useQuery({ ...query, enabled })
  const meta = data?.meta
  const differ = meta !== undefined && (meta.total !== account.properties || (meta.totals?.['tiv'] ?? account.tiv) !== account.tiv)
  return { meta, areOld: isFetching && differ }
}

interface Figure {
  label: string
  /** Null while it is not known. */
  count: number | null
  format?: (count: number) => string
  isMoney?: boolean
  detail: ReactNode
  title?: string
  to: string | undefined
  /** Whether the parts of the value are shown. */
  parts?: boolean
}

/**
 * None for users who cannot open the register. The account and the totals of its list arrive separately, so what is shown together is of
 * one answer: of the totals as soon as they are there, and of the account while it is newer.
 */
function registerFigures(account: Account, opens: boolean, { meta, areOld }: Totals): Figure[] {
  const { id, currency } = account
  const stored = registerTotals(account)
  if (stored === undefined) return []
  const totals = areOld ? undefined : meta
  const valued = totals?.valued?.['tiv']
  const register = { ...stored, active: totals?.total ?? stored.active, tiv: totals?.totals?.['tiv'] ?? stored.tiv }
  const to = opens ? paths.accountTab(id, 'properties') : undefined
  const divested = `${formatNumber(register.divested)} divested`
  return [
    {
      label: 'Properties',
      count: register.active,
      detail: <Part to={opens && register.divested > 0 ? paths.divested(id) : undefined}>{divested}</Part>,
      to,
    },
    {
      label: 'Total insured value',
      count: valued ? register.tiv : knownTiv(register.active, register.tiv),
      format: (value) => formatMoney(value, currency),
      isMoney: true,
      detail: areOld ? 'Updating…' : averageText(register, currency, valued),
      to,
      parts: register.active > 0,
    },
  ]
}

/** The largest numbers of the account; each opens what it counts. The parts of the value add up to it. */
export function Figures({ account }: { account: Account }) {
  const { id, company, users, currency } = account
  const can = useCan()
  const isOwn = useSession().auth_user.company.id === company.id
  const totals = useTotals(account)
  const hasRoom = useMediaQuery(TYPES_FIT, false, { getInitialValueInEffect: false })
  const figures: Figure[] = [
    ...registerFigures(account, can('view_account_properties'), totals),
    ...documentsFigures(account),
    ...(users !== undefined && can('view_account_invites')
      ? [
          {
            label: 'Added users',
            count: users,
            detail: `plus ${isOwn ? 'your company' : company.name}`,
            title: `plus ${company.name}`,
            to: undefined,
          },
        ]
      : []),
  ]
  return (
    <dl className={`${tile['tiles'] ?? ''} ${classes['figures'] ?? ''}`}>
      {figures.map(({ label, count, format = formatNumber, isMoney = false, detail, title, to, parts }) => (
        <Fragment key={label}>
          <div className={`${tile['tile'] ?? ''} ${classes['figure'] ?? ''}`}>
            <dt>
              <StretchedLink to={to}>{label}</StretchedLink>
            </dt>
            <dd className={classes['value']}>
              {count === null ? '–' : <CountUp name={label} value={count} format={format} money={isMoney} />}
            </dd>
            <dd className={classes['detail']} title={title}>
              {detail}
            </dd>
            {parts && totals.meta && <ValueParts totals={totals.meta} areOld={totals.areOld} currency={currency} />}
          </div>
          {parts && hasRoom && can('view_property_types_metric') && <TypesByValue accountId={id} />}
        </Fragment>
      ))}
    </dl>
  )
}

/** A number within a figure, with its own link. */
const Part = ({ to, children }: { to: string | undefined; children: string }) =>
  to === undefined ? (
    <span>{children}</span>
  ) : (
    <Link to={to} className={classes['part'] ?? ''}>
      {children}
    </Link>
  )

/**
 * Each kind of documents has a list of its own, so each has its own link, and their sum has one only if all are of one kind. None for users
 * who cannot see documents.
 */
function documentsFigures({ id, files }: Account): Figure[] {
  if (files === null) return []
  const { total, disclosed, sov } = files
  const kinds = [
    { count: disclosed, name: 'disclosed', to: paths.documents(id, 'disclosed') },
    { count: sov, name: 'submission', to: paths.documents(id, 'submission') },
  ].filter(({ count }) => count > 0)
  const detail: ReactNode =
    kinds.length === 0
      ? 'No documents yet'
      : kinds.map(({ count, name, to }, index) => (
          <Fragment key={name}>
            {index > 0 && ', '}
            <Part to={to}>{`${formatNumber(count)} ${name}`}</Part>
          </Fragment>
        ))
  const to = kinds.length > 1 ? undefined : (kinds[0]?.to ?? paths.accountTab(id, 'files'))
  return [{ label: 'Documents', count: total, detail, to }]
}

/** The average of the properties with a value, since the others are unknown, not 0. Without their number there is no average. */
function averageText({ active, tiv }: { active: number; tiv: number }, currency: string | null, valued: number | undefined): string {
  if (active === 0) return 'No properties yet'
  if (valued === 0 || (valued === undefined && tiv === 0)) return 'No property has a value'
  if (currency === null) return 'Not added up'
  if (valued === undefined) return ''
  const average = `${formatMoney(Math.round(tiv / valued), currency)} on average`
  return valued < active ? `${average} of the ${formatNumber(valued)} with a value` : average
}

function ValueParts({ totals, areOld, currency }: { totals: PageMeta; areOld: boolean; currency: string | null }) {
  if (totals.totals === undefined || currency === null) return null
  return (
    <dd className={classes['parts']}>
      {valueParts(totals).map(({ name, label, amount, isStated }) => (
        <span key={name}>
          <span>{label}</span> <span>{areOld || !isStated ? '–' : formatMoney(amount, currency)}</span>
        </span>
      ))}
    </dd>
  )
}

/** There is room between the total and the documents, and on a phone below them. */
const TYPES_FIT = '(min-width: 1360px), (max-width: 900px)'
const TYPES_NAMED = 3

/** The types of the properties as one bar, the largest in words; nothing if values are unknown or in several currencies. */
function TypesByValue({ accountId }: { accountId: string }) {
  const { data } = useQuery(queries.accountMetric('propertyTypes', accountId))
  const slices = data === undefined ? [] : slicesOf(data, 'tiv').filter(({ share }) => share > 0)
  if (slices.length === 0) return null
  return (
    <div className={`${tile['tile'] ?? ''} ${classes['figure'] ?? ''}`} data-types>
      <dt>Types by value</dt>
      <dd className={classes['bar']} aria-hidden>
        {slices.map(({ id, name, share, color }) => (
          <span key={id} title={`${name} ${formatSliceShare(share)}`} style={{ flexGrow: share, background: color }} />
        ))}
      </dd>
      <dd className={classes['detail']}>
        {slices.slice(0, TYPES_NAMED).map(({ id, name, share }, index) => (
          <Fragment key={id}>
            {index > 0 && ', '}
            <span>
              <b>{shortType(name)}</b> {formatSliceShare(share)}
            </span>
          </Fragment>
        ))}
      </dd>
    </div>
  )
}
