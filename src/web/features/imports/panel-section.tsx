import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { useState, type ReactNode } from 'react'
import classes from './side-panel.module.css'

interface PanelSectionProps {
  title: string
  /** Next to the title, such as a count. */
  note?: string
  /** On the right, in amber. */
  amount?: string
  /** Whether it is open at first. */
  open?: boolean
  children: ReactNode
}

/** A part of the side panel that can be folded. */
export function PanelSection({ title, note = '', amount = '', open: initiallyOpen = true, children }: PanelSectionProps) {
  const [open, setOpen] = useState(initiallyOpen)
  const isEmpty = children === null || children === false
  return (
    <section className={classes['section']} aria-label={title}>
      <h4>
        <button type="button" className={classes['sectionHead']} aria-expanded={open} disabled={isEmpty} onClick={() => setOpen(!open)}>
          <IconChevronDown size={14} aria-hidden />
          {title} <span className={classes['sectionNote']}>{note}</span>{' '}
          {amount !== '' && <span className={classes['amount']}>{amount}</span>}
        </button>
      </h4>
      {open && children}
    </section>
  )
}
