import { Button, Switch, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useMemo, useState } from 'react'
import type { FileRow } from '#contract/account-files.ts'
import type { Account } from '#contract/accounts.ts'
import { formatBytes, plural } from '#contract/format.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { Datatable } from '#web/engines/datatable/datatable.tsx'
import { useFileDrop } from '#web/engines/upload/drop-area.tsx'
import { NO_CHOICES, uploadDocuments } from '#web/engines/upload/uploads.ts'
import { paths } from '#web/paths.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { DocumentDrop } from './document-drop.tsx'
import classes from './documents.module.css'
import { fileCells } from './file-cells.tsx'
import { fileCommands } from './file-commands.ts'
import { LinkDialog } from './link-dialog.tsx'

const HIDDEN_COLUMNS = ['properties']

interface DocumentsTabProps {
  accountId: string
  /** Shows the upload area above the list, for users who are here to upload. */
  uploadFirst?: boolean
}

/** The documents of an account: disclosed ones and submission documents. Files dropped anywhere on it are uploaded. */
export function DocumentsTab({ accountId, uploadFirst = false }: DocumentsTabProps) {
  const can = useCan()
  const { auth_user } = useSession()
  const { data: account } = useQuery(queries.account(accountId))
  const { sov, descriptive, set } = useDocumentView(account?.show_vanity_by_default ?? false)
  const [linking, setLinking] = useState<readonly string[] | null>(null)
  const mayUpload = can('upload_account_files') && account?.accessible_features.upload !== false
  const upload = (files: File[]) => uploadDocuments(auth_user.id, accountId, files, sov ? { ...NO_CHOICES, sov } : NO_CHOICES)
  const drop = useFileDrop(upload)
  const fixed = useMemo(() => ({ account_id: accountId, sov: sov ? '1' : '0' }), [accountId, sov])
  const cells = useMemo(() => fileCells(descriptive), [descriptive])
  const commands = (row: FileRow | null) => fileCommands({ accountId, sov, can, onLink: setLinking }, row)
  const uploadButton = mayUpload && !uploadFirst && (
    <Button component={Link} to={paths.upload(accountId)} search={true} leftSection={<IconUpload size={16} aria-hidden />}>
      Upload documents
    </Button>
  )
  return (
    <div className={classes['tab']} data-over={(mayUpload && drop.over) || undefined} {...(mayUpload ? drop.handlers : {})}>
      {mayUpload && uploadFirst && (
        <section aria-labelledby="upload-area">
          <Title order={2} size="h4" mb={8} id="upload-area">
            Upload Files
          </Title>
          <DocumentDrop onFiles={upload} />
        </section>
      )}
      <DocumentKinds files={account?.files} sov={sov} onChange={(value) => set({ filter__sov: value ? '1' : undefined })} />
      {account?.send_new_files_notification === true && (
        <Text size="sm" c="dimmed">
          New file notifications are enabled. Users with permission will receive alerts.
        </Text>
      )}
      <Datatable
        key={sov ? 'submission' : 'disclosed'}
        model="account_files"
        label={sov ? 'submission documents' : 'disclosed documents'}
        basePath={`${paths.account(accountId)}/files`}
        openIn="panel"
        fixed={fixed}
        cells={cells}
        extraCommands={commands}
        {...(sov ? { hiddenColumns: HIDDEN_COLUMNS } : {})}
        toolbarEnd={
          <>
            <Switch
              label="Descriptive names"
              checked={descriptive}
              onChange={(event) => set({ names: event.currentTarget.checked ? 'descriptive' : 'original' })}
            />
            {uploadButton}
          </>
        }
        empty={
          <EmptyState title={sov ? 'No submission documents yet.' : 'No disclosed documents yet.'} action={uploadButton || undefined}>
            {sov
              ? 'Statements of values, applications and the narrative belong here.'
              : 'Appraisals, engineering reports, photographs and everything else about the properties belong here.'}
            {mayUpload ? ' Drop files anywhere on this page.' : ''}
          </EmptyState>
        }
      />
      {mayUpload && drop.over && (
        <div className={classes['dropHint']}>Drop to upload to {sov ? 'the submission documents' : 'this account'}</div>
      )}
      {linking && <LinkDialog accountId={accountId} fileIds={linking} onClose={() => setLinking(null)} />}
    </div>
  )
}

/** Which documents are shown and by which of their names. Both are stored in the address. */
function useDocumentView(vanityByDefault: boolean) {
  const params: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  return {
    sov: params['filter__sov'] === '1',
    descriptive: params['names'] === 'descriptive' || (params['names'] !== 'original' && vanityByDefault),
    set: (change: { filter__sov?: string | undefined; names?: string }) => {
      const search = (current: Readonly<Record<string, unknown>>) => ({ ...current, page: undefined, ...change })
      void navigate({ to: '.', search: search, replace: true, resetScroll: false })
    },
  }
}

interface DocumentKindsProps {
  files: Account['files'] | undefined
  sov: boolean
  onChange: (sov: boolean) => void
}

/** The two kinds of documents, each with its number and total size. */
function DocumentKinds({ files, sov, onChange }: DocumentKindsProps) {
  const kinds = [
    { label: 'Disclosed Documents', isSov: false, count: files?.disclosed, size: files?.size.disclosed },
    { label: 'Submission Documents', isSov: true, count: files?.sov, size: files?.size.sov },
  ]
  return (
    <div className={classes['kinds']} role="group" aria-label="Kind of documents">
      {kinds.map(({ label, isSov, count, size }) => (
        <button key={label} type="button" className={classes['kind']} aria-pressed={sov === isSov} onClick={() => onChange(isSov)}>
          <span className={classes['kindLabel']}>{label}</span>
          <span className={classes['kindSize']}>
            {count === undefined || size === undefined ? '…' : `${plural(count, 'document')}, ${formatBytes(size)}`}
          </span>
        </button>
      ))}
    </div>
  )
}
