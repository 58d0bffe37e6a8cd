import { Skeleton, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, type ReactNode } from 'react'
import { formatBytes, formatDate } from '#contract/format.ts'
import { importCalls } from '#contract/import-calls.ts'
import { IMPORT_MAX_BYTES, PAGE_SIZE_MAX } from '#contract/limits.ts'
import { api } from '#web/data/client.ts'
import { untilAnswered } from '#web/data/query-client.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { showError } from '#web/engines/show-error.ts'
import { DropArea } from '#web/engines/upload/drop-area.tsx'
import type { DocumentSettings } from '#web/engines/upload/upload-item.ts'
import { addUploads, dismissUpload } from '#web/engines/upload/upload-queue.ts'
import { UploadRow } from '#web/engines/upload/upload-row.tsx'
import { uploads, useUploadsOf } from '#web/engines/upload/uploads.ts'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import { usePageTitle, useParentPage } from '#web/ui/page-title.ts'
import { toast } from '#web/ui/toast.tsx'
import { CompactButton } from './compact-button.ts'
import { ImportHistory } from './import-history.tsx'
import { ImportWorkbench } from './import-workbench.tsx'
import classes from './import.page.module.css'
import { useImportAddress } from './use-import.ts'

/** Import of properties from a spreadsheet: first the file, then one screen for everything up to the commit. */
export function ImportPage({ id: accountId }: { id: string }) {
  const account = useQuery(queries.account(accountId))
  const address = useImportAddress()
  const mayImport = useCan()('bulk_upload_account_properties') && account.data?.accessible_features.import !== false
  usePageTitle('Import properties')
  const back = paths.accountTab(accountId, 'properties')
  useParentPage(account.data?.name.text ?? undefined, back)
  if (mayImport && address.import !== undefined) return <ImportWorkbench key={address.import} importId={address.import} />
  return (
    <Stack gap="md">
      {mayImport ? (
        <StartImport accountId={accountId} onOpen={(id) => address.go({ import: id, view: 'sheet', tab: undefined })} />
      ) : (
        <Notice kind="warning">You don't have permission to import properties into this account.</Notice>
      )}
    </Stack>
  )
}

interface NewImport {
  source: { file_id: string } | { key: string }
  /** The upload of the file, if it is new. */
  uploadId?: string
}

/** The first step: a new file or a document of the account. Below, the earlier imports. */
function StartImport({ accountId, onOpen }: { accountId: string; onOpen: (id: string) => void }) {
  const create = useMutation({
    ...untilAnswered,
    mutationFn: async ({ source }: NewImport) =>
      (await api(importCalls.create, { params: { account_id: accountId }, body: { source } })).data.id,
    onSuccess: onOpen,
    onError: (error) => showError(error),
    // Until the server has answered, the upload is part of the list and of what a reload restores.
    onSettled: (_data, _error, { uploadId }) => uploadId !== undefined && dismissUpload(uploads, uploadId),
  })
  return (
    <Stack gap="lg">
      <section className={classes['start']}>
        <Title order={2} mb="sm">
          Choose a statement of values
        </Title>
        <NewFile accountId={accountId} onUploaded={create.mutate} />
        {create.isPending && <Text role="status">Opening the import</Text>}
      </section>
      <section className={classes['start']}>
        <Title order={3} mb="xs">
          Or use a document of this account
        </Title>
        <AccountDocuments accountId={accountId} busy={create.isPending} onChoose={(id) => create.mutate({ source: { file_id: id } })} />
      </section>
      <section>
        <Title order={3} mb="xs">
          Earlier imports
        </Title>
        <ImportHistory accountId={accountId} />
      </section>
    </Stack>
  )
}

const SPREADSHEET = /\.(xlsx|xlsm|csv|tsv|txt)$/i
const OTHER_SPREADSHEET = /\.(ods|fods|xlsb|numbers|gsheet)$/i
/** A text file is rarely a table, so that it is not offered among the documents. */
const SHEET = /\.(xlsx|xlsm|csv|tsv)$/i
const ACCEPT = '.xlsx,.xlsm,.csv,.tsv,.txt'

/** Uploads a file and reports it once it is stored, also if that happened while another page was open. */
function NewFile({ accountId, onUploaded }: { accountId: string; onUploaded: (created: NewImport) => void }) {
  const { auth_user } = useSession()
  const items = useUploadsOf(accountId, 'import')
  const reported = useRef(new Set<string>())
  useEffect(() => {
    for (const { id, status, key } of items) {
      if (status !== 'done' || key === null || reported.current.has(id)) continue
      reported.current.add(id)
      onUploaded({ source: { key }, uploadId: id })
    }
  }, [items, onUploaded])
  const upload = ([file]: File[]) => {
    if (!file) return
    const problem = fileProblem(file)
    if (problem !== null) return toast.warning(problem)
    const settings: DocumentSettings = { category: 'sov', private: false, sov: true, propertyIds: [] }
    addUploads(uploads, [{ userId: auth_user.id, accountId, purpose: 'import', file, settings }])
  }
  return (
    <>
      <DropArea
        label="Drop a spreadsheet here"
        hint={`Excel (.xlsx, .xlsm), CSV or text, at most ${formatBytes(IMPORT_MAX_BYTES)} and 50,000 rows`}
        button="Choose file"
        multiple={false}
        accept={ACCEPT}
        onFiles={upload}
      />
      {items.length > 0 && (
        <ul className={classes['list']}>
          {items.map((item) => (
            <UploadRow key={item.id} item={item} />
          ))}
        </ul>
      )}
    </>
  )
}

function fileProblem(file: File): string | null {
  if (/\.xls$/i.test(file.name)) return 'This is an old Excel file (.xls). Open it in Excel, save it as .xlsx and drop that file here.'
  if (OTHER_SPREADSHEET.test(file.name))
    return `“${file.name}” is a spreadsheet of a type that cannot be read. Open it in its program, save it as .xlsx and drop that file here.`
  if (!SPREADSHEET.test(file.name)) return `“${file.name}” is not a spreadsheet. Choose an .xlsx, .xlsm, .csv, .tsv or .txt file.`
  if (file.size > IMPORT_MAX_BYTES)
    return `“${file.name}” is larger than ${formatBytes(IMPORT_MAX_BYTES)}. Remove sheets that are not needed and try again.`
  return null
}

function AccountDocuments({ accountId, busy, onChoose }: { accountId: string; busy: boolean; onChoose: (fileId: string) => void }) {
  const zone = useSession().auth_user.company.timezone
  const query = useQuery(
    queries.index('account_files', { filter__account_id: accountId, filter__sov: '1', paginate: String(PAGE_SIZE_MAX) }),
  )
  return (
    <Loaded query={query} skeleton={<Skeleton height={80} role="status" aria-label="Loading the documents" />}>
      {({ data }) => {
        const files = data
          .map(({ file }) => file)
          .filter(({ file }) => SHEET.test(file.original_file_name))
          .toSorted((a, b) => b.created_at.localeCompare(a.created_at))
        if (files.length === 0) return <Text c="dimmed">There is no spreadsheet among the submission documents of this account.</Text>
        return (
          <ul className={classes['list']}>
            {files.map(({ id, created_at, file: { original_file_name: name, size } }) => (
              <FileItem key={id} name={name} details={`${formatBytes(size ?? 0)}, uploaded ${formatDate(created_at, zone)}`}>
                <CompactButton disabled={busy} onClick={() => onChoose(id)}>
                  Import
                </CompactButton>
              </FileItem>
            ))}
          </ul>
        )
      }}
    </Loaded>
  )
}

/** A document, with what can be done with it. */
function FileItem({ name, details, children }: { name: string; details: string; children: ReactNode }) {
  return (
    <li className={classes['file']}>
      <div className={classes['description']}>
        <Text fw={600} truncate title={name}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {details}
        </Text>
      </div>
      {children}
    </li>
  )
}
