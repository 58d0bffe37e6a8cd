import { SegmentedControl, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMoney, formatMoneyShort, formatNumber, sentenceCase } from '#contract/format.ts'
import { DOUGHNUT_CUTOUT_PERCENT, LEGEND_COLUMNS_ABOVE } from '#contract/limits.ts'
import type { Metric } from '#contract/metrics.ts'
import { CountUp } from '#web/ui/count-up.tsx'
import { MetricCard } from './metric-card.tsx'
import { PieDrawing, Swatch, type SlicesProps } from './pie-drawing.tsx'
import { byValue, formatUnits, slicesOf, type Measure, type Slice } from './pie-slices.ts'
import { formatSliceShare } from './slice-share.ts'
import classes from './pie.module.css'
import { StretchedLink } from './stretched-link.tsx'

interface PieMetricProps {
  query: UseQueryResult<Metric>
  shape: 'pie' | 'doughnut'
  /** The singular of what is counted, such as "property". */
  unit: string
  /** Shown until the metric has loaded its own. */
  title: string
  /** The initial measure. When given, the user can switch between the measures that the metric has. */
  measure?: Measure
}

/** Records by kind as a pie or doughnut with a legend and a table for screen readers. */
export function PieMetric({ query, shape, unit, title, measure: initial }: PieMetricProps) {
  const [chosen, setChosen] = useState<Measure>(initial ?? 'count')
  const hasChoice = initial !== undefined && query.data?.counts.some(({ tiv = 0 }) => tiv > 0)
  const measure = hasChoice ? chosen : 'count'
  const hasValues = query.data?.counts.some(({ tiv }) => tiv !== undefined)
  const control = hasChoice ? (
    <SegmentedControl
      size="xs"
      styles={{ label: { paddingInline: 5 } }}
      aria-label={`Measure ${title} by`}
      value={measure}
      onChange={setChosen}
      data={[
        { value: 'count', label: 'Count' },
        { value: 'tiv', label: 'Value' },
      ]}
    />
  ) : (
    hasValues && <span className={classes['measure']}>By number</span>
  )
  return (
    <MetricCard query={query} title={title} aside={control} skeleton="pie">
      {(metric) => <Pie metric={metric} measure={measure} shape={shape} unit={unit} />}
    </MetricCard>
  )
}

/** The same parts by number and by value, with one color each and one legend. */
export function PiePair({ query, unit, title }: Pick<PieMetricProps, 'query' | 'unit' | 'title'>) {
  return (
    <MetricCard query={query} title={title} skeleton="pie">
      {(metric) => <Pair metric={metric} unit={unit} />}
    </MetricCard>
  )
}

function Pair({ metric, unit }: { metric: Metric; unit: string }) {
  const [active, setActive] = useState<string | null>(null)
  const byCount = slicesOf(metric, 'count')
  const inValue = slicesOf(metric, 'tiv')
  if (byCount.length === 0) return <Empty>{metric.empty}</Empty>
  const shared = { unit, active, onActive: setActive }
  const tiv = inValue.reduce((sum, slice) => sum + (slice.tiv ?? 0), 0)
  const isByValue = inValue.length > 0
  const count = byCount.reduce((sum, slice) => sum + slice.count, 0)
  const values = new Map(inValue.map(({ id, share }) => [id, share]))
  return (
    <div className={classes['pair']}>
      <figure>
        <PieDrawing slices={byCount} {...shared} hole={0}>
          {null}
        </PieDrawing>
        <figcaption>By number</figcaption>
      </figure>
      <figure>
        <PieDrawing slices={isByValue ? inValue : byCount} {...shared} hole={DOUGHNUT_CUTOUT_PERCENT / 100}>
          <span className={classes['total']}>{isByValue ? formatMoneyShort(tiv, metric.currency) : formatNumber(count)}</span>
        </PieDrawing>
        <figcaption>{isByValue ? 'By value' : 'By number (no values to compare)'}</figcaption>
      </figure>
      <PairTable title={metric.title} slices={byCount} values={values} {...shared} />
    </div>
  )
}

interface PairTableProps extends SlicesProps {
  title: string
  /** Shares of the value by the id of the slice. */
  values: ReadonlyMap<string, number>
}

/** The legend of both drawings, largest value first. */
function PairTable({ title, slices, values, unit, active, onActive }: PairTableProps) {
  return (
    <table>
      <caption className="visually-hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">Type</th>
          <th scope="col">{sentenceCase(formatUnits(2, unit).replace(/^[\d,]+ /, ''))}</th>
          <th scope="col" className={classes['share']}>
            <span className="visually-hidden">Share of the number</span>
          </th>
          <th scope="col">Value</th>
          <th scope="col" className={classes['share']}>
            <span className="visually-hidden">Share of the value</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {byValue(slices).map(({ id, name, count, tiv: value, currency, share, color, to }) => (
          <tr key={id} data-active={active === id || undefined} onPointerEnter={() => onActive(id)} onPointerLeave={() => onActive(null)}>
            <th scope="row">
              <Swatch color={color} />{' '}
              <StretchedLink to={to} onFocus={() => onActive(id)} onBlur={() => onActive(null)}>
                {name}
              </StretchedLink>
            </th>
            <td>{formatNumber(count)}</td>
            <td className={classes['share']}>{formatSliceShare(share)}</td>
            <td>{value ? formatMoney(value, currency) : '–'}</td>
            <td className={classes['share']}>{value ? formatSliceShare(values.get(id) ?? 0) : ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Empty = ({ children }: { children: string }) => (
  <Text c="dimmed" ta="center" py="lg" style={{ alignSelf: 'center' }}>
    {children}
  </Text>
)

function Pie({ metric, measure, shape, unit }: { metric: Metric; measure: Measure; shape: 'pie' | 'doughnut'; unit: string }) {
  const [active, setActive] = useState<string | null>(null)
  const slices = slicesOf(metric, measure)
  if (slices.length === 0) return <Empty>{metric.empty}</Empty>
  const shared = { slices, unit, active, onActive: setActive }
  const tiv = slices.reduce((sum, slice) => sum + (slice.tiv ?? 0), 0)
  return (
    <div className={classes['pie']} data-many={slices.length > LEGEND_COLUMNS_ABOVE || undefined}>
      <PieDrawing {...shared} hole={shape === 'pie' ? 0 : DOUGHNUT_CUTOUT_PERCENT / 100}>
        <span className={classes['total']}>
          {measure === 'count' ? <CountUp name={`${metric.title} ${unit}`} value={metric.total} /> : formatMoneyShort(tiv, metric.currency)}
        </span>
        <Text span size="sm" c="dimmed">
          {measure === 'count' ? formatUnits(metric.total, unit).replace(/^[\d,]+ /, '') : 'insured'}
        </Text>
      </PieDrawing>
      <PieLegend {...shared} measure={measure} />
      <SlicesTable title={metric.title} slices={slices} />
    </div>
  )
}

function PieLegend({ slices, measure, unit, active, onActive }: SlicesProps & { measure: Measure }) {
  return (
    <ul className={classes['legend']}>
      {slices.map(({ id, name, count, tiv, currency, share, color, to }) => (
        <li key={id} data-active={active === id || undefined} onPointerEnter={() => onActive(id)} onPointerLeave={() => onActive(null)}>
          <Swatch color={color} />
          <span className={classes['name']} title={name}>
            <StretchedLink
              to={to}
              aria-label={`${name}: ${formatUnits(count, unit)}`}
              onFocus={() => onActive(id)}
              onBlur={() => onActive(null)}
            >
              {name}
            </StretchedLink>
          </span>
          <span className={classes['amount']}>
            {measure === 'count' ? formatNumber(count) : tiv ? formatMoneyShort(tiv, currency) : 'no value'}
          </span>
          <span className={classes['share']}>{share > 0 && formatSliceShare(share)}</span>
        </li>
      ))}
    </ul>
  )
}

/** The chart as a table, for screen readers. */
function SlicesTable({ title, slices }: { title: string; slices: readonly Slice[] }) {
  const hasValues = slices.some(({ tiv }) => tiv !== undefined)
  return (
    <div className="visually-hidden">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Count</th>
            {hasValues && <th scope="col">Total insured value</th>}
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {slices.map(({ id, name, count, tiv, currency, share }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              <td>{formatNumber(count)}</td>
              {hasValues && <td>{tiv ? formatMoney(tiv, currency) : 'no value'}</td>}
              <td>{formatSliceShare(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
