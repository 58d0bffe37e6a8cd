import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { CHANNELS } from '#contract/events.ts'
import { formatNumber } from '#contract/format.ts'
import { MODELS, declarationOf } from '#contract/models.ts'
import type { ListedModel, Rows } from '#web/data/models.ts'
import { queries } from '#web/data/queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { useCan } from '#web/data/session.ts'
import { withQuery } from '#web/paths.ts'
import { parseSearch, useSearchParams } from '#web/search-params.ts'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { indexQuery } from '../datatable/list-address.ts'
import { Loaded } from '../loaded.tsx'
import classes from './related-list.module.css'

const SHOWN = 5

export interface RelatedItem {
  id: string
  name: string
  detail?: ReactNode
  /** The panel of the record; absent for users who cannot open it. */
  to?: string | undefined
}

interface SectionProps {
  title: string
  /** What is shown when there are none: "No users." */
  none: string
  /** Adds a record that is related to this one. */
  add?: { label: string; to: string } | false
  /** The list with all of them. */
  all?: string | false
}

/** Records that belong to the one in the panel: the first of them as links, their number, and where all of them are. */
export function RelatedItems({
  items,
  total = items.length,
  ...section
}: SectionProps & { items: readonly RelatedItem[]; total?: number }) {
  const heading = useId()
  const { title, none, add, all } = section
  return (
    <section aria-labelledby={heading} className={classes['related']}>
      <div className={classes['heading']}>
        <h3 id={heading}>
          {title} <span className={classes['count']}>{formatNumber(total)}</span>
        </h3>
        {add && <AddLink {...add} />}
      </div>
      {total === 0 ? <p className={classes['none']}>{none}</p> : <ul>{items.slice(0, SHOWN).map(renderItem)}</ul>}
      {total > SHOWN &&
        (all ? (
          <Link to={all} className={classes['all']}>
            Show all {formatNumber(total)}
          </Link>
        ) : (
          <p className={classes['none']}>and {formatNumber(total - SHOWN)} more</p>
        ))}
    </section>
  )
}

const renderItem = ({ id, name, detail, to }: RelatedItem) => (
  <li key={id}>
    {to === undefined ? (
      <span>{name}</span>
    ) : (
      <Link to={to} search={true}>
        {name}
      </Link>
    )}
    {detail !== undefined && <span className={classes['detail']}>{detail}</span>}
  </li>
)

/** A path with a query opens the form with these values, over the list as it is. */
function AddLink({ label, to }: { label: string; to: string }) {
  const [path = '', query = ''] = to.split('?')
  const search = { ...useSearchParams(), ...parseSearch(query) }
  return (
    <Button component={Link} to={withQuery(path, search)} variant="default" size="compact-sm">
      {label}
    </Button>
  )
}

interface RelatedListProps<M extends ListedModel> extends SectionProps {
  model: M
  /** By name without `filter__`. */
  filters: Readonly<Record<string, string>>
  item: (row: Rows[M]) => Omit<RelatedItem, 'id'>
}

/** The same for records that are loaded as a list, for users who can see that list. */
export function RelatedList<M extends ListedModel>(props: RelatedListProps<M>) {
  return useCan()(MODELS[props.model].list) ? <LoadedList key={JSON.stringify(props.filters)} {...props} /> : null
}

function LoadedList<M extends ListedModel>({ model, filters, item, ...section }: RelatedListProps<M>) {
  useChannel(CHANNELS.datatable(model))
  const state = { page: 1, perPage: SHOWN, search: '', sort: null, order: 'asc' as const, filters }
  const query = useQuery(queries.index(model, indexQuery(state, { defaultSort: declarationOf(model).order })))
  const skeleton = <SkeletonRows rows={2} label={`Loading ${section.title.toLowerCase()}`} />
  return (
    <Loaded query={query} skeleton={skeleton}>
      {({ data, meta }) => <RelatedItems {...section} items={data.map((row) => ({ id: row.id, ...item(row) }))} total={meta.total} />}
    </Loaded>
  )
}
