import { Button, Switch, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useMemo, useState } from 'react'
import type { FileRow } from '#contract/account-files.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { Datatable } from '#web/engines/datatable/datatable.tsx'
import { useFileDrop } from '#web/engines/upload/drop-area.tsx'
import { NO_CHOICES, uploadDocuments } from '#web/engines/upload/uploads.ts'
import { paths } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { DocumentDrop } from './document-drop.tsx'
import { DocumentKinds } from './document-kinds.tsx'
import classes from './documents.tab.module.css'
import { useDocumentView } from './document-view.ts'
import { fileCells } from './file-cells.tsx'
import { fileCommands } from './file-commands.ts'
import { LinkDialog } from './link-dialog.tsx'

const HIDDEN_FILTERS = ['sov', 'account_id']
const HIDDEN_COLUMNS = ['properties']

interface DocumentsTabProps {
  accountId: string
  /** For those who came to bring documents: the place to do so stands above the list. */
  uploadFirst?: boolean
}

/** The documents of an account: disclosed ones and submission documents. Files dropped anywhere on it are uploaded. */
export function DocumentsTab({ accountId, uploadFirst = false }: DocumentsTabProps) {
  const can = useCan()
  const { auth_user } = useSession()
  const account = useQuery(queries.account(accountId))
  const view = useDocumentView(account.data?.show_vanity_by_default ?? false)
  const [linking, setLinking] = useState<readonly string[] | null>(null)
  const mayUpload = can('upload_account_files') && account.data?.accessible_features.upload !== false
  const take = (files: File[]) => uploadDocuments(auth_user.id, accountId, files, view.sov ? { ...NO_CHOICES, sov: true } : NO_CHOICES)
  const drop = useFileDrop(take)
  const fixed = useMemo(() => ({ filter__account_id: accountId, filter__sov: view.sov ? '1' : '0' }), [accountId, view.sov])
  const cells = useMemo(() => fileCells(view.descriptive), [view.descriptive])
  const extraCommands = (row: FileRow | null) => fileCommands({ accountId, sov: view.sov, can, onLink: setLinking }, row)
  return (
    <div className={classes['tab']} data-over={(mayUpload && drop.over) || undefined} {...(mayUpload ? drop.handlers : {})}>
      {mayUpload && uploadFirst && <UploadSpace onFiles={take} />}
      <DocumentKinds files={account.data?.files} sov={view.sov} onChange={view.setSov} />
      {account.data?.send_new_files_notification === true && (
        <Text size="sm" c="dimmed">
          New file notifications are enabled. Users with permission will receive alerts.
        </Text>
      )}
      <Datatable
        key={view.sov ? 'submission' : 'disclosed'}
        model="account_files"
        label={view.sov ? 'submission documents' : 'disclosed documents'}
        basePath={`${paths.account(accountId)}/files`}
        openIn="panel"
        fixed={fixed}
        cells={cells}
        hiddenFilters={HIDDEN_FILTERS}
        extraCommands={extraCommands}
        {...(view.sov ? { hiddenColumns: HIDDEN_COLUMNS } : {})}
        toolbarEnd={
          <>
            <Switch
              label="Descriptive names"
              checked={view.descriptive}
              onChange={(event) => view.setDescriptive(event.currentTarget.checked)}
            />
            {mayUpload && !uploadFirst && <UploadButton accountId={accountId} />}
          </>
        }
        empty={<NoDocuments sov={view.sov} accountId={accountId} mayUpload={mayUpload} withButton={mayUpload && !uploadFirst} />}
      />
      {mayUpload && drop.over && (
        <div className={classes['hint']}>Drop to upload to {view.sov ? 'the submission documents' : 'this account'}</div>
      )}
      {linking && <LinkDialog accountId={accountId} fileIds={linking} onClose={() => setLinking(null)} />}
    </div>
  )
}

function UploadSpace({ onFiles }: { onFiles: (files: File[]) => void }) {
  return (
    <section aria-labelledby="upload-space">
      <Title order={2} size="h4" mb={8} id="upload-space">
        Upload Files
      </Title>
      <DocumentDrop onFiles={onFiles} />
    </section>
  )
}

function UploadButton({ accountId }: { accountId: string }) {
  return (
    <Button component={Link} to={paths.upload(accountId)} search={true} leftSection={<IconUpload size={16} aria-hidden />}>
      Upload documents
    </Button>
  )
}

interface NoDocumentsProps {
  sov: boolean
  accountId: string
  mayUpload: boolean
  withButton: boolean
}

function NoDocuments({ sov, accountId, mayUpload, withButton }: NoDocumentsProps) {
  return (
    <EmptyState
      title={sov ? 'No submission documents yet.' : 'No disclosed documents yet.'}
      {...(withButton ? { action: <UploadButton accountId={accountId} /> } : {})}
    >
      {sov
        ? 'Statements of values, applications and the narrative belong here.'
        : 'Appraisals, engineering reports, photographs and everything else about the properties belong here.'}
      {mayUpload ? ' Drop files anywhere on this page.' : ''}
    </EmptyState>
  )
}
