import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { CHANNELS } from '#contract/events.ts'
import { queries } from '#web/data/queries.ts'
import { useChannel } from '#web/data/realtime.ts'
import { PanelContent } from '#web/engines/panel/panel-states.tsx'
import { RoutePanel, useOpenPanel } from '#web/engines/panel/route-panel.tsx'
import { paths } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import button from '#web/ui/collapsing-button.module.css'
import { downloadFile } from './download-file.ts'
import { FileForm } from './file-form.tsx'
import { FilePreview } from './file-preview.tsx'
import classes from './file.panel.module.css'

/** One document: the preview beside its data, and the way to its neighbours in the order of the list beneath. */
export function FilePanel({ id: accountId, file_id: fileId }: { id: string; file_id: string }) {
  const open = useOpenPanel()
  useChannel(CHANNELS.datatable('account_files'))
  const query = useQuery(queries.fileDetails(accountId, fileId, useListOrder()))
  const file = query.data
  const go = (id: string) => open(paths.file(accountId, id))
  return (
    <RoutePanel
      title={file === undefined ? 'Document' : (file.vanity_name ?? file.file.original_file_name)}
      size="wide"
      closeTo={paths.account(accountId)}
      actions={
        file && (
          <div className={classes['actions']}>
            {/* Opened by a link of its own, it need not stand in the list beneath. */}
            {file.position > 0 && (
              <span className={classes['position']}>
                {file.position} of {file.total}
              </span>
            )}
            <IconButton
              name="Previous document"
              disabled={file.previous_id === null}
              onClick={() => file.previous_id !== null && go(file.previous_id)}
            >
              <IconChevronLeft size={18} />
            </IconButton>
            <IconButton name="Next document" disabled={file.next_id === null} onClick={() => file.next_id !== null && go(file.next_id)}>
              <IconChevronRight size={18} />
            </IconButton>
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
              <FilePreview key={data.id} file={data} />
            </div>
            <FileForm key={`${data.id} ${data.version}`} file={data} />
          </div>
        )}
      </PanelContent>
    </RoutePanel>
  )
}

/** The order and filters of the list that the panel stands over. */
function useListOrder(): Record<string, string> {
  const params = useSearchParams()
  const { sort, order, search, filter__sov } = params
  const texts = Object.entries({ sort, order, search, filter__sov: filter__sov ?? '0' })
  return Object.fromEntries(texts.flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [[name, value]] : [])))
}
