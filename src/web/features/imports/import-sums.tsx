import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconTriangleFilled.mjs'
import type { ReactNode } from 'react'
import { formatMoney, plural } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import classes from './commit-bar.module.css'
import { amountText } from './import-labels.ts'

type Sums = NonNullable<Import['sums']>
type Sum = Sums['file']

/** The file = what will be imported + what stays out, next to the total that the file states. Dimmed while they are out of date. */
export function Sums({ data }: { data: Import }) {
  const { sums, questions, mode } = data
  if (sums === null) return <EmptySums />
  const { file, left_out: out, stated } = sums
  const asWritten = questions.some(({ constant }) => constant === 'factor') ? ', as written' : ''
  const note = (sum: Sum) => plural(sum.rows, 'location') + asWritten
  const imported = { ...file, rows: file.rows - (out?.rows ?? 0), tiv: file.tiv - (out?.tiv ?? 0) }
  // In the other modes, rows without errors may still be left out.
  const importedLabel = mode === 'add_and_update' || mode === 'full_replacement' ? 'Will be imported' : 'Can be imported'
  return (
    <dl className={classes['sums']} data-stale={data.activity !== null || data.state === 'mapped' || undefined}>
      <Amount label="In the file" value={amountText(file)} note={note(file)} />
      <Amount operator="=" label={importedLabel} value={amountText(imported)} note={note(imported)} />
      {out !== null && (
        <Amount
          operator="+"
          label="Stays out"
          value={amountText(out)}
          out={out.rows > 0}
          note={out.rows === 0 ? 'No rows' : <OutNote>{plural(out.rows, 'row')} will not be imported</OutNote>}
        />
      )}
      {stated !== null && file.currency !== null && (
        <Amount
          stated
          label="Total row of the file"
          value={formatMoney(stated, file.currency)}
          note={<StatedNote data={data} gap={stated - file.tiv} />}
        />
      )}
    </dl>
  )
}

/** Before the first check. */
const EmptySums = () => (
  <dl className={classes['sums']}>
    {['In the file', 'Will be imported', 'Stays out'].map((label) => (
      <div key={label} className={classes['sum']}>
        <dt>{label}</dt>
        <dd className={classes['unknown']} aria-label="Not known yet" />
      </div>
    ))}
  </dl>
)

interface AmountProps {
  label: string
  value: string
  note: ReactNode
  operator?: string
  /** Amber: it does not reach the register. */
  out?: boolean
  /** After the equation, divided by a line. */
  stated?: boolean
}

function Amount({ label, value, note, operator, out = false, stated = false }: AmountProps) {
  return (
    <div className={classes['sum']} data-operator={operator} data-out={out || undefined} data-stated={stated || undefined}>
      <dt>{label}</dt>
      <dd className={classes['amount']}>{value}</dd>
      <dd className={classes['sumNote']}>{note}</dd>
    </div>
  )
}

const OutNote = ({ children }: { children: ReactNode }) => (
  <span className={classes['out']}>
    <IconTriangleFilled size={10} aria-hidden /> {children}
  </span>
)

/** Whether the file's own total agrees with its rows. Columns without a mapping explain a difference of exactly their money. */
function StatedNote({ data, gap }: { data: Import; gap: number }) {
  if (gap === 0) {
    return (
      <span className={classes['agrees']}>
        <IconCheck size={13} stroke={2.5} aria-hidden /> Agrees with the rows
      </span>
    )
  }
  const unmapped = data.unmapped_money
  const cause = unmapped.length > 0 && unmapped.reduce((sum, { total }) => sum + total, 0) === gap ? unmapped : []
  const causeText = cause.length === 0 ? '' : `: column ${cause.map(({ letter }) => letter).join(', ')}`
  const amount = formatMoney(Math.abs(gap), data.sums?.file.currency ?? 'USD')
  return <OutNote>{`${amount} ${gap > 0 ? 'more' : 'less'} than the rows${causeText}`}</OutNote>
}
