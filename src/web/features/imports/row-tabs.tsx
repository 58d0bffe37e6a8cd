import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconTriangleFilled.mjs'
import { formatNumber } from '#contract/format.ts'
import type { ImportTab } from '#contract/imports.ts'
import { TAB_LABELS } from './import-labels.ts'
import classes from './row-tabs.module.css'
import { useImportAddress, useOpenImport } from './use-import.ts'

/** Tabs of locations that would not be imported, in amber. */
const OUT: readonly ImportTab[] = ['errors', 'conflict']
/** Tabs that every import has; the others are shown when they have rows. */
const ALWAYS: readonly ImportTab[] = ['add', 'change', 'errors']
const ORDER: readonly ImportTab[] = ['add', 'change', 'unchanged', 'remove', 'conflict', 'errors', 'excluded']

/** All rows as in the file, or those with one result as they would be in the register. Counts are of the last finished check. */
export function RowTabs() {
  const { data } = useOpenImport()
  const { view, tab, go } = useImportAddress()
  const isChecked = data.state === 'validated'
  const shown = ORDER.filter((name) => ALWAYS.includes(name) || (data.counts[name] ?? 0) > 0 || (view === 'preview' && tab === name))
  return (
    <div className={classes['tabs']} role="tablist" aria-label="Rows" data-stale={data.activity !== null || undefined}>
      <button type="button" role="tab" aria-selected={view === 'sheet'} className={classes['tab']} onClick={() => go({ view: 'sheet' })}>
        All rows {data.total > 0 && <strong>{formatNumber(data.total)}</strong>}
      </button>
      {shown.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          aria-selected={view === 'preview' && tab === name}
          className={classes['tab']}
          data-out={(OUT.includes(name) && (data.counts[name] ?? 0) > 0) || undefined}
          onClick={() => go({ view: 'preview', tab: name })}
        >
          {name === 'add' && <IconPlus size={13} aria-hidden />}
          {OUT.includes(name) && <IconTriangleFilled size={10} aria-hidden />}
          {TAB_LABELS[name]} {isChecked && <strong>{formatNumber(data.counts[name] ?? 0)}</strong>}
        </button>
      ))}
    </div>
  )
}
