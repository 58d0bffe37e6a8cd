import { useIsFetching } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { SECOND_MS } from '#contract/limits.ts'
import { ownWrites } from '#web/data/staleness.ts'
import { useStore } from '#web/ui/store.ts'

/** Rows by their position; undefined where a row is not loaded yet. */
type Slots<R> = readonly (R | undefined)[]
type Ids = readonly (string | undefined)[]

/** The length of the longest part of a sequence that ascends. */
function longestAscending(numbers: readonly number[]): number {
  /** By length, the smallest number that ends such a part. */
  const ends: number[] = []
  for (const number of numbers) {
    const place = ends.findIndex((end) => end >= number)
    ends[place === -1 ? ends.length : place] = number
  }
  return ends.length
}

/** How many rows were added, removed or moved, as far as both lists are loaded. */
export function changedRows(before: Ids, after: Ids): number {
  const placesBefore = new Map(before.flatMap((id, place) => (id === undefined ? [] : [[id, place] as const])))
  const allAfter = new Set(after)
  let [added, removed] = [0, 0]
  const common: number[] = []
  for (const [place, id] of after.entries()) {
    const old = before[place]
    if (id === undefined || (old === undefined && place < before.length)) continue
    const from = placesBefore.get(id)
    if (from === undefined) added += 1
    else common.push(from)
    if (old !== undefined && !allAfter.has(old)) removed += 1
  }
  const length = Math.abs(after.length - before.length)
  return Math.max(added, removed, length) + common.length - longestAscending(common)
}

/** Whether all that changed is that rows follow the shown ones. */
const isContinued = (before: Ids, after: Ids): boolean =>
  after.length >= before.length && before.every((id, place) => id === undefined || id === after[place])

interface Shown {
  key: string
  writes: number
  /** What was compared last. */
  fresh: Ids
  ids: Ids
  /** Changes that are not shown, 0 if the rows are those of the server. */
  changed: number
  /** Whether the list has been loaded since it last showed something else: from then on its rows stay where they are. */
  settled: boolean
}

/** The rows as they stay in place: the ids from before, and the rows that have come into view since. */
function inPlace(ids: Ids, fresh: Ids): Ids {
  const known = new Set(ids)
  return ids.map((id, place) => id ?? (known.has(fresh[place]) ? undefined : fresh[place]))
}

function next(shown: Shown, { key, writes, fresh }: { key: string; writes: number; fresh: Ids }): Shown {
  if (shown.key !== key || shown.writes !== writes) return { key, writes, fresh, ids: fresh, changed: 0, settled: false }
  if (fresh === shown.fresh) return shown
  const isEmpty = (ids: Ids) => ids.every((id) => id === undefined)
  const movesRows = shown.settled && !isEmpty(fresh) && !isContinued(shown.ids, fresh)
  const changed = movesRows ? changedRows(shown.ids, fresh) : 0
  return { ...shown, fresh, ids: changed === 0 ? fresh : inPlace(shown.ids, fresh), changed }
}

/** Nothing has been loaded for this long. A list from the cache begins to refresh only after it is shown. */
const SETTLED_MS = 0.3 * SECOND_MS

/**
 * Rows that do not move under the cursor. New values appear in place, and rows after the last one appear below it. Other rows that users
 * have added, removed or moved are counted, and shown on request. A row that the server no longer sends is blank, because the user may
 * have lost access to it. What the user does (another page, order or filter, a write) shows immediately.
 */
export function useSteadyRows<R extends { id: string }>(model: string, key: string, slots: Slots<R>) {
  const busy = useIsFetching({ queryKey: ['index', model] }) > 0
  const writes = useStore(ownWrites)
  const fresh: Ids = useMemo(() => slots.map((row) => row?.id), [slots])
  const [stored, setStored] = useState<Shown>({ key, writes, fresh, ids: fresh, changed: 0, settled: false })
  const shown = next(stored, { key, writes, fresh })
  if (shown !== stored) setStored(shown)
  const waiting = !busy && !shown.settled
  useEffect(() => {
    if (!waiting) return undefined
    const settle = () => setStored((now) => (now.key === key && now.writes === writes ? { ...now, settled: true } : now))
    const timer = setTimeout(settle, SETTLED_MS)
    return () => clearTimeout(timer)
  }, [waiting, key, writes])
  const { ids, changed } = shown
  const steady = useMemo<{ slots: Slots<R>; gone: ReadonlySet<number> }>(() => {
    if (ids === fresh) return { slots, gone: NONE_GONE }
    const byId = new Map(slots.flatMap((row) => (row === undefined ? [] : [[row.id, row] as const])))
    const rows = ids.map((id) => (id === undefined ? undefined : byId.get(id)))
    const isGone = (place: number) => ids[place] !== undefined && rows[place] === undefined && fresh[place] !== undefined
    const gone = new Set(ids.flatMap((_id, place) => (isGone(place) ? [place] : [])))
    return { slots: rows, gone }
  }, [ids, fresh, slots])
  return { ...steady, changedElsewhere: changed, showChanges: () => setStored({ ...shown, ids: fresh, changed: 0 }) }
}

const NONE_GONE: ReadonlySet<number> = new Set()
