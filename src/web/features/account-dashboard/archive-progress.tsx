import { Button } from '@mantine/core'
import { pendingDownloads, type PendingDownload } from '#web/data/pending-downloads.ts'
import { showError } from '#web/engines/show-error.ts'
import { formatNumber } from '#contract/format.ts'
import { ProgressLine } from '#web/ui/progress-line.tsx'
import classes from './downloads-menu.module.css'

interface ArchiveProgressProps {
  download: PendingDownload
  label: string
}

const detailOf = ({ status, filesProcessed, totalFiles }: PendingDownload): string =>
  [status, ...(totalFiles === 0 ? [] : [`${formatNumber(filesProcessed)} of ${formatNumber(totalFiles)}`])]
    .filter((part) => part !== '')
    .join(' · ')

/** An archive that is being made; it goes on when the page is left, and can be stopped. */
export function ArchiveProgress({ download, label }: ArchiveProgressProps) {
  return (
    <div className={classes['progress']}>
      <ProgressLine label={label} percent={download.percentage} detail={detailOf(download)} />
      <Button size="compact-sm" variant="subtle" color="gray" onClick={() => void pendingDownloads.cancel(download.id).catch(showError)}>
        Cancel
      </Button>
    </div>
  )
}
