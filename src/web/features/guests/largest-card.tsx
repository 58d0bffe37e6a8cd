import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import type { PropertyRow } from '#contract/account-properties.ts'
import type { PageMeta } from '#contract/datatable.ts'
import { formatMoney, formatNumber, plural } from '#contract/format.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { formatSliceShare } from '#web/engines/metric/slice-share.ts'
import { StretchedLink } from '#web/engines/metric/stretched-link.tsx'
import { paths } from '#web/paths.ts'
import { Card, CardSkeleton, NewTag } from './card.tsx'
import classes from './overview.module.css'

interface LargestCardProps {
  account: Account
  query: UseQueryResult<{ data: PropertyRow[]; meta: PageMeta }>
  isNew: (id: string) => boolean
}

const HEIGHT_PX = 430

/** The properties with the largest values. */
export function LargestCard({ account, query, isNew }: LargestCardProps) {
  const all = plural(query.data?.meta.total ?? account.properties ?? 0, 'property', 'properties')
  return (
    <Card title="Largest properties" aside={<Link to={paths.accountTab(account.id, 'properties')}>{`All ${all}`}</Link>}>
      <Loaded query={query} skeleton={<CardSkeleton heightPx={HEIGHT_PX} />}>
        {({ data, meta }) => <Largest account={account} rows={data} meta={meta} isNew={isNew} />}
      </Loaded>
    </Card>
  )
}

const COLUMNS = ['#', 'Property', 'City', 'Occupancy', 'Built', 'Sq ft', 'TIV'] as const

interface LargestProps extends Pick<LargestCardProps, 'account' | 'isNew'> {
  rows: readonly PropertyRow[]
  meta: PageMeta
}

function Largest({ account: { id, currency }, rows, meta, isNew }: LargestProps) {
  const sum = rows.reduce((so, { tiv }) => so + Number(tiv.value ?? 0), 0)
  const total = meta.totals?.['tiv'] ?? 0
  return (
    <>
      <table className={classes['table']}>
        <thead>
          <tr>
            {COLUMNS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <td>{row.location_number.text}</td>
              <td>
                <StretchedLink to={paths.property(id, row.id)}>{row.property_name.text || row.address.text}</StretchedLink>
                {isNew(row.id) && <NewTag />}
                {row.property_name.text !== '' && <small>{row.address.text}</small>}
              </td>
              <td>{[row.city.text, row.state.text].filter(Boolean).join(', ')}</td>
              <td>{row.property_type.text}</td>
              <td>{row.year_built.text}</td>
              <td>{row.floor_area.text}</td>
              <td>{Number(row.tiv.value) > 0 ? formatMoney(Number(row.tiv.value), row.currency) : 'not stated'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {currency !== null && total > 0 && rows.length < meta.total && (
        <p className={classes['sum']}>
          <span>
            <b>{`${formatNumber(rows.length)} largest`}</b>
            {` of ${formatNumber(meta.total)}, ${formatSliceShare(sum / total)} of the total insured value`}
          </span>
          <b>{formatMoney(sum, currency)}</b>
        </p>
      )}
    </>
  )
}
