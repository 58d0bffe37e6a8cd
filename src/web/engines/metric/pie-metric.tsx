import { Group, SegmentedControl, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { formatMoney, formatMoneyShort, formatNumber } from '#contract/format.ts'
import { DOUGHNUT_CUTOUT_PERCENT, LEGEND_COLUMNS_ABOVE } from '#contract/limits.ts'
import type { Metric } from '#contract/metrics.ts'
import { CountUp } from '#web/ui/count-up.tsx'
import { MetricCard } from './metric-card.tsx'
import { arcsOf, formatSliceShare, formatUnits, slicesOf, type Measure, type Slice } from './pie-slices.ts'
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
  const control = hasChoice && (
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
  )
  return (
    <MetricCard query={query} title={title} aside={control} skeleton="pie">
      {(metric) => <Pie metric={metric} measure={measure} shape={shape} unit={unit} />}
    </MetricCard>
  )
}

/** What the drawing and the legend share. */
interface SlicesProps {
  slices: readonly Slice[]
  unit: string
  /** The id of the slice that is hovered or focused. */
  active: string | null
  onActive: (id: string | null) => void
}

function Pie({ metric, measure, shape, unit }: { metric: Metric; measure: Measure; shape: 'pie' | 'doughnut'; unit: string }) {
  const [active, setActive] = useState<string | null>(null)
  const slices = slicesOf(metric, measure)
  if (slices.length === 0)
    return (
      <Text c="dimmed" ta="center" py="lg" style={{ alignSelf: 'center' }}>
        {metric.empty}
      </Text>
    )
  const shared = { slices, unit, active, onActive: setActive }
  const tiv = slices.reduce((sum, slice) => sum + (slice.tiv ?? 0), 0)
  return (
    <div className={classes['pie']} data-many={slices.length > LEGEND_COLUMNS_ABOVE || undefined}>
      <PieDrawing {...shared} hole={shape === 'pie' ? 0 : DOUGHNUT_CUTOUT_PERCENT / 100}>
        <span className={classes['total']}>
          {measure === 'count' ? <CountUp name={`${metric.title} ${unit}`} value={metric.total} /> : formatMoneyShort(tiv)}
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

/** For pointers only: the legend offers the same to keyboards and screen readers. */
function PieDrawing({ slices, unit, active, onActive, hole, children }: SlicesProps & { hole: number; children: ReactNode }) {
  const navigate = useNavigate()
  const arcs = arcsOf(
    slices.map(({ share }) => share),
    hole,
  )
  const index = slices.findIndex(({ id }) => id === active)
  const slice = slices[index]
  const arc = arcs[index]
  return (
    <div className={classes['drawing']} onPointerLeave={() => onActive(null)}>
      <svg viewBox="-1.04 -1.04 2.08 2.08" aria-hidden="true" className={classes['svg']}>
        {slices.map(({ id, color, to }, position) => (
          <path
            key={id}
            d={arcs[position]?.path}
            fill={color}
            className={classes['slice']}
            data-dim={(active !== null && active !== id) || undefined}
            data-link={to !== undefined || undefined}
            onPointerEnter={() => onActive(id)}
            onClick={() => to !== undefined && void navigate({ href: to })}
          />
        ))}
      </svg>
      {hole > 0 && <div className={classes['hole']}>{children}</div>}
      {slice !== undefined && arc !== undefined && <SliceTooltip slice={slice} unit={unit} at={arc.middle} />}
    </div>
  )
}

const percent = (coordinate: number) => `${String(50 + coordinate * 48)}%`

function SliceTooltip({ slice, unit, at }: { slice: Slice; unit: string; at: { x: number; y: number } }) {
  const { name, count, tiv, share, color } = slice
  return (
    <div className={classes['tooltip']} style={{ left: percent(at.x), top: percent(at.y) }} role="presentation">
      <Group component="span" gap={6} fw={600} wrap="nowrap">
        <Swatch color={color} /> {name}
      </Group>
      <span>
        {formatUnits(count, unit)} · {formatSliceShare(share)}
      </span>
      {tiv !== undefined && <span>{formatMoney(tiv)}</span>}
    </div>
  )
}

const Swatch = ({ color }: { color: string }) => (
  <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true" className={classes['swatch']}>
    <rect width="10" height="10" rx="2" fill={color} />
  </svg>
)

function PieLegend({ slices, measure, unit, active, onActive }: SlicesProps & { measure: Measure }) {
  return (
    <ul className={classes['legend']}>
      {slices.map(({ id, name, count, tiv, share, color, to }) => (
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
          <span className={classes['amount']}>{measure === 'count' ? formatNumber(count) : formatMoneyShort(tiv ?? 0)}</span>
          <span className={classes['share']}>{formatSliceShare(share)}</span>
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
          {slices.map(({ id, name, count, tiv, share }) => (
            <tr key={id}>
              <th scope="row">{name}</th>
              <td>{formatNumber(count)}</td>
              {hasValues && <td>{tiv === undefined ? '' : formatMoney(tiv)}</td>}
              <td>{formatSliceShare(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
