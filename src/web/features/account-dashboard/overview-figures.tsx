import type { ReactNode } from 'react'
import type { Account } from '#contract/accounts.ts'
import { useCan } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { CountUp } from '#web/ui/count-up.tsx'
import { formatBytes, formatMoney, formatNumber } from '#contract/format.ts'
import { StretchedLink } from '#web/engines/metric/stretched-link.tsx'
import tile from '#web/engines/metric/metric.module.css'
import classes from './overview-figures.module.css'

interface Figure {
  label: string
  value: ReactNode
  detail: string
  to: string | undefined
}

function useFigures(account: Account): Figure[] {
  const can = useCan()
  const { properties, divested_properties: divested, files, users, tiv } = account
  const toProperties = can('view_account_properties') ? paths.accountTab(account.id, 'properties') : undefined
  return [
    { label: 'Properties', value: <CountUp value={properties} />, detail: `${formatNumber(divested)} divested`, to: toProperties },
    {
      label: 'Total insured value',
      value: <CountUp value={tiv} format={formatMoney} />,
      detail: properties === 0 ? 'No properties yet' : `${formatMoney(Math.round(tiv / properties))} on average`,
      to: toProperties,
    },
    {
      label: 'Documents',
      value: <CountUp value={files.total} />,
      detail: formatBytes(files.size.total),
      to: can('view_account_files') ? paths.accountTab(account.id, 'files') : undefined,
    },
    ...(account.type === 'standard' && can('view_account_invites')
      ? [{ label: 'People with access', value: <CountUp value={users} />, detail: account.company.name, to: undefined }]
      : []),
  ]
}

/** The numbers that everyone asks for first. */
export function OverviewFigures({ account }: { account: Account }) {
  const figures = useFigures(account)
  return (
    <dl className={`${tile['tiles'] ?? ''} ${classes['figures'] ?? ''}`}>
      {figures.map(({ label, value, detail, to }) => (
        <div key={label} className={`${tile['tile'] ?? ''} ${classes['figure'] ?? ''}`}>
          <dt>
            <StretchedLink to={to}>{label}</StretchedLink>
          </dt>
          <dd className={`${tile['number'] ?? ''} ${classes['value'] ?? ''}`}>{value}</dd>
          <dd className={classes['detail']}>{detail}</dd>
        </div>
      ))}
    </dl>
  )
}
