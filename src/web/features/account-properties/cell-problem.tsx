import { Button } from '@mantine/core'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import type { PropertyFieldName } from '#contract/property-fields.ts'
import { valueWords } from './property-words.ts'
import type { CellEdit } from './use-cell-edit.ts'
import classes from './editable-cell.module.css'

interface CellProblemProps {
  name: PropertyFieldName
  edit: CellEdit
  onMine: () => void
  onTheirs: () => void
}

/** Hangs under the input: a sentence about the value, or the choice between two values. */
export function CellProblem({ name, edit, onMine, onTheirs }: CellProblemProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const disputed = edit.theirs !== undefined
  const box = anchor?.parentElement?.getBoundingClientRect()
  return (
    <>
      <span ref={setAnchor} hidden />
      {box &&
        (edit.problem !== null || disputed) &&
        createPortal(
          <div
            role="alert"
            className={classes['problem']}
            style={{ left: Math.min(box.left, window.innerWidth - 300), top: box.bottom + 4 }}
          >
            {edit.problem}
            {disputed && (
              <>
                <span>
                  Somebody else saved <strong>{valueWords(name, edit.theirs) || 'nothing'}</strong> meanwhile; you entered{' '}
                  <strong>{valueWords(name, edit.text) || 'nothing'}</strong>.
                </span>
                <span className={classes['choices']}>
                  <Button size="compact-sm" variant="default" onClick={onMine}>
                    Keep mine
                  </Button>
                  <Button size="compact-sm" variant="default" onClick={onTheirs}>
                    Take theirs
                  </Button>
                </span>
              </>
            )}
          </div>,
          document.body,
        )}
    </>
  )
}
