import type { FileRow } from '#contract/account-files.ts'
import type { CellRenderers } from '#web/engines/datatable/cells.tsx'
import { FileFlags } from './file-flags.tsx'
import { namesOf } from './file-names.ts'
import classes from './file-cells.module.css'

/** The cells of the documents table that show more than their text. */
export const fileCells = (descriptive: boolean): CellRenderers<FileRow> => ({
  name: ({ file }) => {
    const { title, beneath } = namesOf(file, descriptive)
    return (
      <span className={classes['name']}>
        <span className={classes['titles']} title={beneath === null ? title : `${title}\n${beneath}`}>
          <span className={classes['clip']}>{title}</span>
          {beneath !== null && <span className={classes['beneath']}>{beneath}</span>}
        </span>
        <FileFlags file={file} compact />
      </span>
    )
  },
  properties: ({ file }) => {
    const [first, ...rest] = file.properties
    if (file.covers_all_properties) return <span>All properties</span>
    if (!first) return <span aria-hidden>–</span>
    return (
      <span className={classes['clip']} title={file.properties.map((property) => property.full_address).join('\n')}>
        {first.address.value}
        {rest.length > 0 ? ` and ${rest.length} more` : ''}
      </span>
    )
  },
})
