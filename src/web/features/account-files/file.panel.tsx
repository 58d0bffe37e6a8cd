import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { documentName } from '#contract/account-files.ts'
import { CHANNELS } from '#contract/events.ts'
import { queries } from '#web/data/queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { ActivitySection } from '#web/engines/activity-list.tsx'
import { PanelContent } from '#web/engines/panel/panel-states.tsx'
import { RoutePanel, useOpenPanel } from '#web/engines/panel/route-panel.tsx'
import { paths } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import button from '#web/ui/collapsing-button.module.css'
import { downloadFile } from './file-commands.ts'
import { FileForm } from './file-form.tsx'
import { FilePreview } from './file-preview.tsx'
import classes from './file.panel.module.css'

/** One document: the preview next to its data, and the previous and next document in the order of the list. */
export function FilePanel({ id: accountId, file_id: fileId }: { id: string; file_id: string }) {
  const open = useOpenPanel(OWN_PARAMS)
  const { preview_page: page } = useSearchParams()
  useChannel(CHANNELS.datatable('account_files'))
  const query = useQuery(queries.fileDetails(accountId, fileId, useListOrder()))
  const file = query.data
  const step = (name: string, id: string | null, Icon: typeof IconChevronLeft) => (
    <IconButton name={name} disabled={id === null} onClick={() => id !== null && open(paths.file(accountId, id))}>
      <Icon size={18} />
    </IconButton>
  )
  return (
    <RoutePanel
      title={file === undefined ? 'Document' : documentName(file)}
      size="wide"
      closeTo={paths.account(accountId)}
      dropped={OWN_PARAMS}
      actions={
        file && (
          <div className={classes['actions']}>
            {/* A document opened by a link may be missing from the list underneath. */}
            {file.position > 0 && (
              <span className={classes['position']}>
                {file.position} of {file.total}
              </span>
            )}
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
    >
      <PanelContent query={query}>
        {(data) => (
          <div className={classes['split']}>
            <div className={classes['preview']}>
              <FilePreview key={`${data.id} ${page}`} file={data} page={pageOf(page)} />
            </div>
            <div>
              <FileForm key={data.id} file={data} />
              <ActivitySection key={`activity ${data.id}`} model="account_files" id={data.id} />
            </div>
          </div>
        )}
      </PanelContent>
    </RoutePanel>
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
