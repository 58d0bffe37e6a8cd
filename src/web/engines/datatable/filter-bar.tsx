import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { Filter } from '#contract/datatable.ts'
import { formatDate, sentenceCase } from '#contract/format.ts'
import { useSession } from '#web/data/session.ts'
import type { FilterLabel, List } from './list.ts'
import classes from './controls.module.css'

const YES_NO = [
  { value: '1', label: 'Yes' },
  { value: '0', label: 'No' },
]
export const choicesOf = ({ type, options }: Filter) => (type === 'boolean' ? YES_NO : options)

const isDay = (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

function rangeText(value: string): string {
  const [from = '', to = ''] = value.split('..').map((day) => (isDay(day) ? formatDate(day, 'UTC') : day))
  if (from !== '' && to !== '') return `${from} to ${to}`
  return from === '' ? `until ${to}` : `from ${from}`
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The names of the chosen values. A record that was deleted, or that the user does not see, has none. */
function filterText(filter: Filter, value: string): string {
  if (filter.type === 'text') return value
  if (filter.type === 'date_range') return rangeText(value)
  const labels = value.split(',').map((part) => choicesOf(filter).find((option) => option.value === part)?.label ?? part)
  const names = labels.filter((label) => !ID.test(label))
  const unknown = labels.length - names.length
  if (unknown === 0) return names.join(', ')
  return [...names, unknown === 1 ? 'not available' : `${unknown} not available`].join(', ')
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/

/** The value of a filter that the menu does not have. */
function plainText(value: string, zone: string): string {
  if (INSTANT.test(value) && !Number.isNaN(Date.parse(value))) return formatDate(value, zone)
  return value.split(',').some((part) => ID.test(part)) ? 'not available' : value
}

type Values = readonly (readonly [string, string])[]

/** One chip for each filter in use. Moments are shown as days in the time zone. */
export function filterChips(values: Values, filters: readonly Filter[], zone: string, more?: FilterLabel) {
  return values.map(([name, value]) => {
    const special = more?.(name, value)
    if (special) return { name, ...special }
    const filter = filters.find((candidate) => candidate.name === name)
    if (filter) return { name, label: filter.label, text: filterText(filter, value) }
    return { name, label: sentenceCase(name.replaceAll('_', ' ')), text: plainText(value, zone) }
  })
}

/** The filters in use, as chips that clear one filter each. */
export function FilterBar({ list }: { list: List }) {
  const { usedFilters, filters, filterLabel, setFilters, message, missingView, unknownSort, change } = list
  const zone = useSession().auth_user.company.timezone
  const chips = filterChips(usedFilters, filters, zone, filterLabel)
  if (chips.length === 0 && unknownSort === null) return missingView ? <MissingView /> : null
  const isIgnored = (name: string) => [',', '.', '='].some((end) => message.includes(` filter__${name}${end}`))
  const cleared = Object.fromEntries(chips.map(({ name }) => [name, '']))
  return (
    <>
      {missingView && <MissingView />}
      <ul className={classes['chips']} aria-label="Filters in use">
        {chips.map(({ name, label, text }) => (
          <li key={name} className={classes['chip']}>
            <span className={classes['chipText']}>
              <span className={classes['chipLabel']}>{label}</span> {text}
              {isIgnored(name) && <span className={classes['chipLabel']}> (has no effect)</span>}
            </span>
            <button type="button" aria-label={`Clear filter ${label} ${text}`} onClick={() => setFilters({ [name]: '' })}>
              <IconX size={14} aria-hidden />
            </button>
          </li>
        ))}
        {unknownSort !== null && (
          <li className={classes['chip']}>
            <span className={classes['chipText']}>
              <span className={classes['chipLabel']}>Order</span> {unknownSort}
              <span className={classes['chipLabel']}> (has no effect)</span>
            </span>
            <button type="button" aria-label={`Clear order ${unknownSort}`} onClick={() => change({ sort: null })}>
              <IconX size={14} aria-hidden />
            </button>
          </li>
        )}
        {chips.length > 1 && (
          <li>
            <button type="button" className={classes['clearAll']} onClick={() => setFilters(cleared)}>
              Clear all
            </button>
          </li>
        )}
      </ul>
    </>
  )
}

const MissingView = () => (
  <p className={classes['missing']} role="status">
    The view in this address was deleted, or it is not shared with you.
  </p>
)
