import { formatDate, plural } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import { useSession } from '#web/data/session.ts'
import classes from './side-panel.module.css'
import { useOpenImport } from './use-import.ts'

/** How many properties would go back to the values of a file that was imported before. Zero until the rows are checked. */
export const valuesGoingBack = ({ repeats, state, activity, counts }: Import): number =>
  repeats !== null && state === 'validated' && activity === null ? (counts.change ?? 0) : 0

/** That the file was imported before, and what importing it again would undo. */
export function RepeatedFile() {
  const { data } = useOpenImport()
  const zone = useSession().auth_user.company.timezone
  const { repeats, state, activity, file_name } = data
  if (repeats === null) return null
  const count = valuesGoingBack(data)
  const name = repeats.file_name === file_name ? '' : ` as “${repeats.file_name}”`
  const imported = `This file was imported on ${formatDate(repeats.committed_at, zone)}${name}`
  if (count > 0) {
    return (
      <section className={classes['money']} role="status">
        <h4>
          {repeats.later === null
            ? `${imported}, and the register has other values now.`
            : `${imported}; “${repeats.later}” was imported after it.`}
        </h4>
        <p>
          Importing it again puts <strong>{plural(count, 'property', 'properties')}</strong> back to its values.
        </p>
      </section>
    )
  }
  const isKnown = state === 'validated' && activity === null && data.questions.length === 0 && data.currency_conflict === null
  return (
    <p className={classes['note']} role="status">
      {imported}.{isKnown && effectOf(data)}
    </p>
  )
}

/** What another import of a file does that changes no property of the register. */
function effectOf({ counts: { add = 0, remove = 0, conflict = 0 } }: Import): string {
  if (add > 0) return ` Importing it again adds ${plural(add, 'property', 'properties')}.`
  return remove + conflict > 0 ? '' : ' Importing it again does not change the values of any property.'
}
