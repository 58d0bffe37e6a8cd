import { Button, Menu } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import IconTableExport from '@tabler/icons-react/dist/esm/icons/IconTableExport.mjs'
import { isExport, type ExportAction } from '#contract/datatable.ts'
import { apiFile } from '#web/data/client.ts'
import { modelCalls, type RowCalls } from '#web/data/models.ts'
import { PREPARING_TOAST } from '#web/data/pending-downloads.ts'
import { queries } from '#web/data/queries.ts'
import button from '#web/ui/collapsing-button.module.css'
import { saveBlob } from '#web/ui/download.ts'
import { toast } from '#web/ui/toast.tsx'
import { showError } from '../show-error.ts'
import type { List } from './list.ts'
import { filterParams, filtersOf, orderOf } from './list-address.ts'

const FORMATS: Readonly<Record<ExportAction, string>> = { export_excel: 'Excel', export_csv: 'CSV' }

/** The list as a file: its view (filters, search, order and visible columns) or everything that it can show. */
export function ExportMenu({ list: { model, query, columns, fixed = {} } }: { list: List }) {
  const actions = useQuery(queries.actions(model)).data ?? []
  const scopes = [
    { label: 'This view', body: { filters: { ...filtersOf(query), ...orderOf(query) }, columns: columns.map(({ src }) => src) } },
    { label: 'Everything', body: { filters: { ...filterParams(fixed), ...orderOf(query) } } },
  ]
  const { mutate: download, isPending } = useMutation({
    mutationFn: async ({ action, scope, fileName }: { action: ExportAction; scope: (typeof scopes)[number]; fileName: string }) => {
      const { act }: RowCalls = modelCalls[model]
      const file = await apiFile(act, { body: { ...scope.body, action, handle: 'blob', selectedIds: [], input: 'all' } })
      saveBlob(file.blob, file.fileName ?? fileName)
    },
    onMutate: () => toast.info('Preparing your file to download, please wait...', { ...PREPARING_TOAST, ms: Infinity }),
    onError: (error) => showError(error),
    onSettled: () => toast.hide(PREPARING_TOAST.id),
  })
  const exports = actions.flatMap(({ action, fileName }) => (isExport(action) ? [{ action, fileName: fileName ?? action }] : []))
  if (exports.length === 0) return null
  return (
    <Menu position="bottom-end" returnFocus>
      <Menu.Target>
        <Button
          variant="default"
          className={button['collapsing'] ?? ''}
          leftSection={<IconTableExport size={16} aria-hidden />}
          loading={isPending}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {scopes.map((scope) =>
          exports.map(({ action, fileName }) => (
            <Menu.Item key={scope.label + action} onClick={() => download({ action, scope, fileName })}>
              {`${scope.label} as ${FORMATS[action]}`}
            </Menu.Item>
          )),
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
