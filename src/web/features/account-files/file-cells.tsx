import IconBriefcase from '@tabler/icons-react/dist/esm/icons/IconBriefcase.mjs'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import type { AccountFile, FileRow } from '#contract/account-files.ts'
import { formatNumber } from '#contract/format.ts'
import { useSession } from '#web/data/session.ts'
import type { CellRenderers } from '#web/engines/datatable/cells.tsx'
import { Excerpt } from '#web/ui/excerpt.tsx'
import classes from './documents.module.css'
import { ReportDate } from './file-age.tsx'
import { privateText } from './file-fields.ts'

const FLAGS = [
  { name: 'private', label: 'Private', Icon: IconLock, title: privateText },
  { name: 'provided_by_broker', label: 'Broker', Icon: IconBriefcase, title: () => 'Provided by the broker' },
  { name: 'sov', label: 'Submission Document', Icon: IconFileSpreadsheet, title: () => undefined },
] as const

/** The flags of a document, each as icon and text. `compact` is for tables, where the kind of documents shows the submission flag. */
export function FileFlags({ file, compact = false }: { file: AccountFile; compact?: boolean }) {
  const { provider } = useSession().config
  const shown = FLAGS.filter(({ name }) => file[name] && !(compact && name === 'sov'))
  return shown.map(({ name, label, Icon, title }) => (
    <span key={name} className={classes['flag']} title={title(provider)}>
      <Icon size={13} aria-hidden /> <span className={compact ? classes['flagLabel'] : undefined}>{label}</span>
    </span>
  ))
}

/** The row of the opened document is in view, also when it was opened by its address or with the arrows. */
const scrollToRow = (cell: HTMLElement | null) => cell?.closest('tr')?.scrollIntoView({ block: 'nearest' })

/** The cells of the documents table that show more than their text. `descriptive` shows the descriptive name above the original one; `shownId` marks the document that is shown next to the list. */
export const fileCells = (descriptive: boolean, shownId?: string): CellRenderers<FileRow> => ({
  name: ({ file, text_match: match }) => {
    const original = file.file.original_file_name
    const vanity = descriptive ? (file.vanity_name ?? '') : ''
    return (
      <span className={classes['name']} data-shown={file.id === shownId || undefined} ref={file.id === shownId ? scrollToRow : undefined}>
        <span
          className={classes['titles']}
          data-matched={match !== null || undefined}
          title={[vanity, original, file.folder === null ? '' : `Folder: ${file.folder}`].filter(Boolean).join('\n')}
        >
          <span className={classes['title']}>{vanity || original}</span>
          {vanity !== '' && <span className={classes['originalName']}>{original}</span>}
          {match && <Excerpt place={match.place} parts={match.excerpt} />}
        </span>
        {file.file_number > 1 && (
          <span className={classes['flag']} title={`Version ${file.file_number} is the current one`}>
            v{file.file_number}
          </span>
        )}
        <FileFlags file={file} compact />
      </span>
    )
  },
  report_author_date: ({ file }) => <ReportDate file={file} />,
  properties: ({ file }) => {
    const [first, ...rest] = file.properties
    if (file.covers_all_properties) return <span>All properties</span>
    if (!first) return <span aria-hidden>–</span>
    return (
      <span className={classes['properties']} title={file.properties.map((property) => property.full_address).join('\n')}>
        <span className={classes['title']}>{first.address.value}</span>
        {rest.length > 0 && <span className={classes['moreProperties']}> and {formatNumber(rest.length)} more</span>}
      </span>
    )
  },
})
