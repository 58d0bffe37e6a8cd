import { useCallback, useState } from 'react'
import type { ImportRow } from '#contract/import-rows.ts'
import type { Import } from '#contract/imports.ts'

export interface Removals {
  isChecked: (row: ImportRow) => boolean
  setChecked: (row: ImportRow, checked: boolean) => void
  /** How many properties will be marked divested. */
  count: number
}

/** Property ids whose proposed checkbox the user changed, with the new value. */
type Changed = ReadonlyMap<string, boolean>
const NONE: Changed = new Map()

/** The checkboxes of the proposed removals. They are reset when the mode or a sold sheet changes the proposal. */
export function useRemovals(data: Import): Removals {
  const proposal = `${data.mode} ${data.sold_sheets.flatMap(({ index, used }) => (used ? [index] : [])).join(' ')}`
  const [state, setState] = useState({ proposal, changed: NONE })
  const changed = state.proposal === proposal ? state.changed : NONE
  const setChecked = useCallback(
    ({ property, ticked }: ImportRow, checked: boolean) =>
      setState((current) => {
        if (property === null) return current
        const next = new Map(current.proposal === proposal ? current.changed : NONE)
        if (checked === ticked) next.delete(property.id)
        else next.set(property.id, checked)
        return { proposal, changed: next }
      }),
    [proposal],
  )
  const isChecked = ({ property, ticked }: ImportRow) => changed.get(property?.id ?? '') ?? ticked
  const count = [...changed.values()].reduce((sum, checked) => sum + (checked ? 1 : -1), data.ticked)
  return { isChecked, setChecked, count: Math.max(0, count) }
}
