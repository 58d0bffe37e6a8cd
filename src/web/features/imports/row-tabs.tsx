import { SegmentedControl } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconTriangleFilled.mjs'
import { formatNumber, plural } from '#contract/format.ts'
import type { ImportTab } from '#contract/imports.ts'
import { TAB_LABELS, isChecked } from './import-labels.ts'
import classes from './row-tabs.module.css'
import { useImportAddress, useOpenImport } from './use-import.ts'

/** Tabs of locations that would not be imported, in amber. */
const OUT: readonly ImportTab[] = ['errors', 'conflict']
/** Tabs that every import has; the others are shown when they have rows. */
const ALWAYS: readonly ImportTab[] = ['add', 'change', 'errors']
const ORDER: readonly ImportTab[] = ['add', 'change', 'unchanged', 'remove', 'conflict', 'errors', 'excluded']

/** Which rows are shown: all, or those with one result. Counts are of the last finished check. Next to them, how the rows are shown. */
export function RowTabs() {
  const { data } = useOpenImport()
  const { tab, go } = useImportAddress()
  const known = isChecked(data)
  // The file does not contain the properties that are only removed.
  const blank = data.total - ORDER.reduce((sum, name) => sum + (name === 'remove' ? 0 : (data.counts[name] ?? 0)), 0)
  const shown = ORDER.filter((name) => ALWAYS.includes(name) || (data.counts[name] ?? 0) > 0 || tab === name)
  return (
    <div className={classes['bar']}>
      <div className={classes['tabs']} role="tablist" aria-label="Rows" data-stale={data.activity !== null || undefined}>
        <button
          type="button"
          role="tab"
          aria-selected={tab === undefined}
          className={classes['tab']}
          onClick={() => go({ view: 'sheet', tab: undefined })}
        >
          All rows {data.total > 0 && <strong>{formatNumber(data.total)}</strong>}
        </button>
        {shown.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={tab === name}
            className={classes['tab']}
            data-out={(OUT.includes(name) && (data.counts[name] ?? 0) > 0) || undefined}
            onClick={() => go({ view: 'preview', tab: name })}
          >
            {name === 'add' && <IconPlus size={13} aria-hidden />}
            {OUT.includes(name) && <IconTriangleFilled size={10} aria-hidden />}
            {TAB_LABELS[name]} {known && <strong>{formatNumber(data.counts[name] ?? 0)}</strong>}
          </button>
        ))}
        {known && blank > 0 && <span className={classes['blank']}>{plural(blank, 'blank row')}</span>}
      </div>
      <ReadingSwitch />
    </div>
  )
}

/** The same rows as in the file, or as they will be in the register once that is known. */
function ReadingSwitch() {
  const { data } = useOpenImport()
  const { tab, view, go } = useImportAddress()
  const chosen = tab === 'remove' ? 'preview' : tab === undefined && !isChecked(data) ? 'sheet' : view
  return (
    <SegmentedControl
      className={classes['reading'] ?? ''}
      size="xs"
      aria-label="How the rows are shown"
      value={chosen}
      onChange={(next) => go({ view: next })}
      data={[
        { value: 'sheet', label: 'As in the file', disabled: tab === 'remove' },
        { value: 'preview', label: 'As it will be', disabled: !isChecked(data) },
      ]}
    />
  )
}
