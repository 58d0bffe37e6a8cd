import { Badge, Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFileSpreadsheet from '@tabler/icons-react/dist/esm/icons/IconFileSpreadsheet.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconFileZip from '@tabler/icons-react/dist/esm/icons/IconFileZip.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { fileCalls, type ArchiveSource, type Download } from '#contract/account-files.ts'
import { leftOutText } from '#contract/download-content.ts'
import { CHANNELS } from '#contract/events.ts'
import { formatAgo, formatBytes, formatDays, formatNumber } from '#contract/format.ts'
import { DAY_MS } from '#contract/limits.ts'
import { MODELS } from '#contract/models.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { downloadAgain, prepareDownload } from '#web/engines/account/prepare-download.ts'
import { showError } from '#web/engines/show-error.ts'
import { paths } from '#web/paths.ts'
import { DateText } from '#web/ui/date-text.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import { ProgressLine } from '#web/ui/progress-line.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useNow } from '#web/ui/use-now.ts'
import classes from './downloads.module.css'

const KINDS: Readonly<Record<ArchiveSource, { label: string; Icon: typeof IconFileZip }>> = {
  downloadall: { label: 'All documents', Icon: IconFileZip },
  fileselection: { label: 'Selected documents', Icon: IconFileZip },
  'with-documents': { label: 'Properties with documents', Icon: IconFileZip },
  'document-list': { label: 'Disclosed document list', Icon: IconFileText },
  'property-list': { label: 'Property list', Icon: IconFileSpreadsheet },
}

const isUnfinished = ({ status }: Download) => status === 'pending' || status === 'processing'
/** Lists have no bytes of their own: they are made when they are downloaded. */
const isList = ({ source }: Download) => source === 'document-list' || source === 'property-list'

/** What the user downloaded or is waiting for, in all accounts. */
export function DownloadsPage() {
  usePageTitle('Your downloads')
  const query = useQuery(queries.downloads())
  // Archives are out of date when their documents change.
  useChannel(useCan()(MODELS.account_files.list) ? CHANNELS.datatable('account_files') : undefined)
  return (
    <Loaded query={query} skeleton={<SkeletonRows rows={4} label="Loading your downloads" />} failure="Your downloads could not be loaded.">
      {(downloads) =>
        downloads.length === 0 ? (
          <EmptyState title="You have no downloads.">
            Start one with “Download Everything” in an account. It stays here for seven days, on all of your devices.
          </EmptyState>
        ) : (
          <ul className={classes['downloads']}>
            {downloads.map((download) => (
              <DownloadRow key={download.id} download={download} />
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

function DownloadRow({ download }: { download: Download }) {
  const { account_id: accountId, account_name: account, file, source, created_at: createdAt } = download
  const { timezone } = useSession().auth_user.company
  const now = useNow()
  const { label, Icon } = KINDS[source]
  const size = file.size === null ? undefined : formatBytes(file.size)
  return (
    <li className={classes['download']} aria-label={file.original_file_name}>
      <Icon size={22} stroke={1.6} aria-hidden className={classes['icon']} />
      <div className={classes['what']}>
        <strong>{file.original_file_name}</strong>
        <span>
          <Link to={paths.account(accountId)}>{account}</Link>
          {` · ${[label, size].filter(Boolean).join(' · ')}`}
        </span>
      </div>
      <div className={classes['when']}>
        <DateText iso={createdAt} zone={timezone}>
          {formatAgo(createdAt, timezone, now)}
        </DateText>
        <Expiry download={download} now={now} />
      </div>
      <div className={classes['state']}>
        <State download={download} />
      </div>
      <div className={classes['actions']}>
        <Actions download={download} />
      </div>
    </li>
  )
}

function Actions({ download }: { download: Download }) {
  const { id, account_id: accountId, file } = download
  const client = useQueryClient()
  const reload = () => client.invalidateQueries({ queryKey: queries.downloads().queryKey })
  const opening = useMutation({
    mutationFn: () => downloadAgain(accountId, id),
    onError: (error) => showError(error),
    onSettled: reload,
  })
  const repeating = useMutation({
    mutationFn: () =>
      prepareDownload(async () => {
        const { data, message } = await api(fileCalls.repeatDownload, { params: { id } })
        return { download: data, message }
      }),
    onError: (error) => showError(error),
    onSettled: reload,
  })
  const removing = useMutation({
    mutationFn: () => api(fileCalls.removeDownload, { params: { id } }),
    onSuccess: () => toast.success(isUnfinished(download) ? 'Download canceled.' : 'The download was deleted.'),
    onError: (error) => showError(error),
    onSettled: reload,
  })
  return isUnfinished(download) ? (
    <Button size="compact-sm" variant="subtle" color="gray" loading={removing.isPending} onClick={() => removing.mutate()}>
      Cancel
    </Button>
  ) : (
    <>
      {download.status === 'accessible' ? (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
          loading={opening.isPending}
          onClick={() => opening.mutate()}
        >
          Download
        </Button>
      ) : (
        <Button size="compact-sm" variant="default" loading={repeating.isPending} onClick={() => repeating.mutate()}>
          Generate again
        </Button>
      )}
      <IconButton name={`Delete ${file.original_file_name}`} onClick={() => removing.mutate()}>
        <IconTrash size={17} aria-hidden />
      </IconButton>
    </>
  )
}

function Expiry({ download, now }: { download: Download; now: number }) {
  if (download.status !== 'accessible') return null
  const days = Math.ceil((Date.parse(download.expires_at) - now) / DAY_MS)
  return <span>{`Expires ${formatDays(days)}`}</span>
}

const STATES = {
  accessible: { label: 'Ready', color: 'moss' },
  failed: { label: 'Failed', color: 'brick' },
  cancelled: { label: 'Canceled', color: 'gray' },
  outdated: { label: 'Out of date', color: 'amber' },
  expired: { label: 'Expired', color: 'gray' },
} as const

function State({ download }: { download: Download }) {
  const { status, progress } = download
  if (status === 'pending') return <span className={classes['note']}>Waiting</span>
  if (status === 'processing') {
    const { percentage_complete: percent = 0, status: step = '', files_processed: done = 0, total_files: total = 0 } = progress ?? {}
    return <ProgressLine label={step} percent={percent} detail={`${formatNumber(done)} of ${formatNumber(total)}`} />
  }
  const { label, color } = STATES[status]
  const leftOut = status === 'accessible' && download.content ? leftOutText(download.content) : undefined
  return (
    <>
      <Badge variant="light" color={color} tt="none">
        {label}
      </Badge>
      {status === 'accessible' && isList(download) && <span className={classes['note']}>Up to date at each download</span>}
      {leftOut !== undefined && <span className={classes['note']}>{leftOut}</span>}
      {status === 'outdated' && <span className={classes['note']}>Documents have changed. Generate it again.</span>}
    </>
  )
}
