import IconBriefcase from '@tabler/icons-react/dist/esm/icons/IconBriefcase.mjs'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import type { AccountFile } from '#contract/account-files.ts'
import classes from './file-flags.module.css'

/** What is special about a document, each as icon and word. In a table the submission flag is told by the sub-tab. */
export function FileFlags({ file, compact = false }: { file: AccountFile; compact?: boolean }) {
  return (
    <>
      {file.private && (
        <span className={classes['flag']} title="Not shown to guests and carriers">
          <IconLock size={13} aria-hidden /> <span className={compact ? classes['word'] : undefined}>Private</span>
        </span>
      )}
      {file.provided_by_broker && (
        <span className={classes['flag']} title="Provided by the broker: left out of the disclosed list">
          <IconBriefcase size={13} aria-hidden /> <span className={compact ? classes['word'] : undefined}>Broker</span>
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
