import type { Import } from '#contract/imports.ts'
import { Notice } from '#web/ui/notice.tsx'

/** What a person should know before looking at single rows. */
export function ImportNotices({ data }: { data: Import }) {
  const isRead = data.state === 'validated' && data.activity === null
  return (
    <>
      {data.repeats && (
        <Notice kind="warning">
          This file was imported before, as “{data.repeats.file_name}”. Importing it again changes nothing that is already right.
        </Notice>
      )}
      {isRead && data.header_row === null && (
        <Notice kind="warning">
          No header row was found. Choose the row that names the columns and “Use as header row”, or say above each column what it holds.
        </Notice>
      )}
      {data.sheets.map(
        ({ index, name, note, taken }) =>
          note !== null && (
            <Notice key={index} kind={taken ? 'warning' : 'info'}>
              {taken ? `Sheet “${name}”: ` : `Sheet “${name}” is left out: `}
              {note}
            </Notice>
          ),
      )}
    </>
  )
}
