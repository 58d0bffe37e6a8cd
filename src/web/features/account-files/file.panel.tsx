import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { documentName, type fileCalls } from '#contract/account-files.ts'
import { CHANNELS } from '#contract/events.ts'
import type { FileVersion } from '#contract/file-versions.ts'
import type { DataOf } from '#contract/route.ts'
import { queries } from '#web/data/queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { ActivitySection } from '#web/engines/activity-list.tsx'
import { PanelContent } from '#web/engines/panel/panel-states.tsx'
import { RoutePanel, useClosePanel, useOpenPanel } from '#web/engines/panel/route-panel.tsx'
import { paths } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import button from '#web/ui/collapsing-button.module.css'
import { Notice } from '#web/ui/notice.tsx'
import { useArrowKeys, useEscape, useMovableContent, usePlace } from './document-pane.ts'
import { downloadFile } from './file-commands.ts'
import { FileForm } from './file-form.tsx'
import classes from './file.panel.module.css'
import { FilePreview } from './preview/file-preview.tsx'
import { useListPage } from './use-list-page.ts'
import { VersionSection } from './version-section.tsx'

/** One document: the preview next to its data, and the previous and next document in the order of the list. Next to the list if there is room. */
export function FilePanel({ id: accountId, file_id: fileId }: { id: string; file_id: string }) {
  const open = useOpenPanel(OWN_PARAMS)
  const { preview_page: page } = useSearchParams()
  useChannel(CHANNELS.datatable('account_files'))
  const query = useQuery(queries.fileDetails(accountId, fileId, useListOrder()))
  const file = query.data
  useListPage(file)
  const { pane, isWaiting } = usePlace()
  const { content, attach } = useMovableContent()
  const close = useClosePanel(paths.account(accountId), OWN_PARAMS)
  const openFile = (id: string | null | undefined) => id && open(paths.file(accountId, id))
  useArrowKeys((to) => openFile(to === 'next' ? file?.next_id : file?.previous_id))
  useEscape(pane !== null, close)
  const title = file === undefined ? 'Document' : documentName(file)
  const actions = file && <DocumentActions file={file} onOpen={openFile} />
  const [isPlaced, setPlaced] = useState(false)
  if (!isWaiting && !isPlaced) setPlaced(true)
  const panel = (
    <RoutePanel title={title} size="wide" closeTo={paths.account(accountId)} dropped={OWN_PARAMS} actions={actions}>
      <div ref={attach} />
    </RoutePanel>
  )
  const section = (
    <section className={classes['pane']} aria-label={title}>
      <header className={classes['paneHead']}>
        <h2>{title}</h2>
        {actions}
        <IconButton name="Close" onClick={close}>
          <IconX size={18} aria-hidden />
        </IconButton>
      </header>
      <div className={classes['paneBody']} ref={attach} />
    </section>
  )
  return (
    <>
      {!isWaiting && (pane === null ? panel : createPortal(section, pane))}
      {isPlaced &&
        createPortal(
          <PanelContent query={query}>
            {(data) => <DocumentView key={`${data.id} ${data.file_number} ${page}`} file={data} page={pageOf(page)} />}
          </PanelContent>,
          content,
        )}
    </>
  )
}

type Details = DataOf<typeof fileCalls.details>

function DocumentActions({ file, onOpen }: { file: Details; onOpen: (id: string | null) => void }) {
  const step = (name: string, id: string | null, Icon: typeof IconChevronLeft) => (
    <IconButton name={name} disabled={id === null} onClick={() => onOpen(id)}>
      <Icon size={18} />
    </IconButton>
  )
  return (
    <div className={classes['actions']}>
      <span className={classes['position']}>{file.position > 0 ? `${file.position} of ${file.total}` : 'Not in this list'}</span>
      {step('Previous document', file.previous_id, IconChevronLeft)}
      {step('Next document', file.next_id, IconChevronRight)}
      {file.accessible_features.download && (
        <Button
          variant="default"
          className={button['collapsing'] ?? ''}
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => void downloadFile(file)}
        >
          Download
        </Button>
      )}
    </div>
  )
}

function DocumentView({ file, page }: { file: Details; page: number }) {
  const [version, setVersion] = useState<FileVersion | null>(null)
  const isFormer = version !== null && version.number !== file.file_number
  return (
    <div className={classes['split']}>
      <div className={classes['preview']}>
        {isFormer && (
          <Notice kind="info">
            This is version {version.number}. Lists, archives and searches use version {file.file_number}.{' '}
            <Button size="compact-xs" variant="default" onClick={() => setVersion(null)}>
              Show the current version
            </Button>
          </Notice>
        )}
        <FilePreview file={file} version={isFormer ? version : undefined} page={page} />
      </div>
      <div>
        <FileForm file={file} />
        <VersionSection file={file} shown={version?.number ?? file.file_number} onShow={setVersion} />
        <ActivitySection model="account_files" id={file.id} />
      </div>
    </div>
  )
}

const OWN_PARAMS = ['preview_page']
/** A page of an address, which anyone can write; the first one for anything else. */
const pageOf = (text = ''): number => Math.max(1, /^\d{1,5}$/.test(text) ? Number(text) : 1)

const ORDER_PARAMS = ['sort', 'order', 'search']

/** The order and filters of the list underneath. Documents in the trash cannot be opened, so they are not counted. */
const useListOrder = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries({ filter__sov: '0', ...useSearchParams() }).filter(
      ([name]) => ORDER_PARAMS.includes(name) || (name.startsWith('filter__') && name !== 'filter__trashed'),
    ),
  )
