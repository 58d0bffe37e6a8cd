import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Account } from '#contract/accounts.ts'
import type { PropertyRow } from '#contract/account-properties.ts'
import type { PageMeta } from '#contract/datatable.ts'
import { formatDate, formatMoney, formatNumber, plural } from '#contract/format.ts'
import { choiceLabel } from '#contract/property-fields.ts'
import type { RegisterSummary } from '#contract/register-summary.ts'
import { accountQueries } from '#web/data/account-queries.ts'
import { useSession } from '#web/data/session.ts'
import { StretchedLink } from '#web/engines/metric/stretched-link.tsx'
import { valueParts } from '#web/engines/metric/value-parts.ts'
import { paths } from '#web/paths.ts'
import classes from './overview.module.css'

interface FiguresProps {
  account: Account
  largest: { data: PropertyRow[]; meta: PageMeta } | undefined
}

/** The total with its parts, the number of properties and the largest one; all of one answer. */
export function Figures({ account: { id, properties, divested_properties: divested, currency }, largest }: FiguresProps) {
  const meta = largest?.meta
  const total = meta?.totals?.['tiv']
  const valued = meta?.valued?.['tiv'] ?? 0
  const [first] = largest?.data ?? []
  const { data: summary } = useQuery(accountQueries.registerSummary(id))
  const zone = useSession().auth_user.company.timezone
  const active = meta?.total ?? properties ?? 0
  const missing = active - valued
  return (
    <dl className={classes['figures']}>
      <div>
        <dt>
          <StretchedLink to={paths.accountTab(id, 'properties')}>Total insured value</StretchedLink>
        </dt>
        <dd className={classes['value']}>{meta === undefined ? '–' : valued === 0 ? 'Not stated' : formatMoney(total ?? 0, currency)}</dd>
        {summary !== undefined && valued > 0 && <dd>{basisOf(summary, zone)}</dd>}
        <dd>{meta !== undefined && missing > 0 && valued > 0 && `${formatNumber(missing)} of ${formatNumber(active)} without a value`}</dd>
      </div>
      {meta !== undefined && valued > 0 && currency !== null && <Parts meta={meta} currency={currency} />}
      <div>
        <dt>
          <StretchedLink to={paths.accountTab(id, 'properties')}>Properties</StretchedLink>
        </dt>
        <dd className={classes['value']}>{formatNumber(active)}</dd>
        {summary !== undefined && <dd>{placesOf(summary)}</dd>}
        <dd>
          {divested ? <Link to={paths.divested(id)} className={classes['above'] ?? ''}>{`${formatNumber(divested)} divested`}</Link> : null}
        </dd>
      </div>
      {first !== undefined && Number(first.tiv.value) > 0 && currency !== null && (
        <div>
          <dt>
            <StretchedLink to={paths.property(id, first.id)}>Largest property</StretchedLink>
          </dt>
          <dd className={classes['value']}>{formatMoney(Number(first.tiv.value), first.currency)}</dd>
          <dd>{[first.property_name.text || first.address.text, first.state.text].filter(Boolean).join(', ')}</dd>
        </div>
      )}
    </dl>
  )
}

/** What the values are, and of which day: "Replacement cost as of Mar 24, 2026". What is not known of all is not said of all. */
function basisOf({ valuation_bases: [basis, ...others], without_basis, valued_from, valued_to, undated }: RegisterSummary, zone: string) {
  const isOne = basis !== undefined && others.length === 0 && without_basis === 0
  const name = isOne ? choiceLabel('valuation_basis', basis).replace(/ \(.*/, '') : undefined
  if (valued_from === null || valued_to === null) return name
  const days = [...new Set([valued_from, valued_to])].map((day) => formatDate(day, zone)).join(' to ')
  return `${name ?? 'Values'} as of ${days}${undated > 0 ? `, ${formatNumber(undated)} without a date` : ''}`
}

function placesOf({ states, countries, country }: RegisterSummary): string | undefined {
  if (countries > 1) return `in ${formatNumber(countries)} countries`
  if (states === 0) return undefined
  return country === 'CA' ? `in ${plural(states, 'province')}` : `in ${plural(states, 'state')}`
}

function Parts({ meta, currency }: { meta: PageMeta; currency: string }) {
  const parts = valueParts(meta)
  return (
    <div className={classes['parts']}>
      <dt className="visually-hidden">Parts of the total insured value</dt>
      <dd className={classes['within']}>
        <div className={classes['bar']} aria-hidden>
          {parts.map(({ name, amount }) => amount > 0 && <span key={name} data-part={name} style={{ flexGrow: amount }} />)}
        </div>
        <dl className={classes['within']}>
          {parts.map(({ name, label, amount, isStated }) => (
            <div key={name} className={classes['part']}>
              <dt>
                <i data-part={name} aria-hidden /> {label}
              </dt>
              <dd>{isStated ? formatMoney(amount, currency) : 'not stated'}</dd>
            </div>
          ))}
        </dl>
      </dd>
    </div>
  )
}
