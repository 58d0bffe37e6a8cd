import IconBriefcase from '@tabler/icons-react/dist/esm/icons/IconBriefcase.mjs'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import type { AccountFile, FileRow } from '#contract/account-files.ts'
import type { CellRenderers } from '#web/engines/datatable/cells.tsx'
import classes from './documents.module.css'

/** The flags of a document, each as icon and text. `compact` is for tables, where the kind of documents shows the submission flag. */
export function FileFlags({ file, compact = false }: { file: AccountFile; compact?: boolean }) {
  const labelClass = compact ? classes['flagLabel'] : undefined
  return (
    <>
      {file.private && (
        <span className={classes['flag']} title="Not shown to guests and carriers">
          <IconLock size={13} aria-hidden /> <span className={labelClass}>Private</span>
        </span>
      )}
      {file.provided_by_broker && (
        <span className={classes['flag']} title="Provided by the broker: left out of the disclosed list">
          <IconBriefcase size={13} aria-hidden /> <span className={labelClass}>Broker</span>
        </span>
      )}
      {file.sov && !compact && (
        <span className={classes['flag']}>
          <IconFileSpreadsheet size={13} aria-hidden /> Submission Document
        </span>
      )}
    </>
  )
}

/** The cells of the documents table that show more than their text. `descriptive` shows the descriptive name above the original one. */
export const fileCells = (descriptive: boolean): CellRenderers<FileRow> => ({
  name: ({ file }) => {
    const original = file.file.original_file_name
    const vanity = descriptive ? (file.vanity_name ?? '') : ''
    return (
      <span className={classes['name']}>
        <span className={classes['titles']} title={vanity === '' ? original : `${vanity}\n${original}`}>
          <span className={classes['title']}>{vanity || original}</span>
          {vanity !== '' && <span className={classes['originalName']}>{original}</span>}
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
      <span className={classes['title']} title={file.properties.map((property) => property.full_address).join('\n')}>
        {first.address.value}
        {rest.length > 0 ? ` and ${rest.length} more` : ''}
      </span>
    )
  },
})
