import { useCallback, useState } from 'react'
import type { Import } from '#contract/imports.ts'
import type { ImportRow } from '#contract/import-rows.ts'

/** Removals whose tick a person turned round, with how it stands now. */
type Turned = ReadonlyMap<string, boolean>

export interface Ticks {
  isTicked: (row: ImportRow) => boolean
  set: (row: ImportRow, wanted: boolean) => void
  /** How many properties will be marked divested. */
  count: number
}

const NONE: Turned = new Map()

/** The ticks of the proposed removals. Another mode or another sold sheet proposes anew. */
export function useTicks(data: Import): Ticks {
  const proposal = `${data.mode} ${data.sold_sheets.flatMap(({ index, used }) => (used ? [index] : [])).join(' ')}`
  const [state, setState] = useState({ proposal, turned: NONE })
  const turned = state.proposal === proposal ? state.turned : NONE
  const set = useCallback(
    ({ property, ticked }: ImportRow, wanted: boolean) =>
      setState((current) => {
        const next = new Map(current.proposal === proposal ? current.turned : NONE)
        if (property === null) return current
        if (wanted === ticked) next.delete(property.id)
        else next.set(property.id, wanted)
        return { proposal, turned: next }
      }),
    [proposal],
  )
  const isTicked = ({ property, ticked }: ImportRow) => turned.get(property?.id ?? '') ?? ticked
  const count = [...turned.values()].reduce((sum, wanted) => sum + (wanted ? 1 : -1), data.ticked)
  return { isTicked, set, count: Math.max(0, count) }
}
