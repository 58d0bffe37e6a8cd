import { Button, Switch, Text } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useMemo, useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { formatBytes, plural } from '#contract/format.ts'
import { useCan, useIsGuest, useSession } from '#web/data/session.ts'
import { Datatable } from '#web/engines/datatable/datatable.tsx'
import { useFileDrop } from '#web/engines/upload/drop-area.tsx'
import { NO_CHOICES, uploadDocuments } from '#web/engines/upload/uploads.ts'
import { UnreadTexts } from '#web/engines/account/unread-texts.tsx'
import { paths, withQuery } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { documentPane, useIsWide } from './document-pane.ts'
import classes from './documents.module.css'
import { fileCells } from './file-cells.tsx'
import { fileCommands, isSelectable } from './file-commands.ts'
import { LinkDialog } from './link-dialog.tsx'
import { useVersionUpload } from './use-version-upload.ts'
import { ValuesDialog } from './values-dialog.tsx'

const NONE_HIDDEN: readonly string[] = []
const SUBMISSION_HIDDEN = ['properties']
const BESIDE_HIDDEN = ['category', 'report_author_date', 'properties', 'size', 'created_by', 'created_at']

const setPane = documentPane.set

interface DocumentsTabProps {
  account: Account
  /** Without upload: the page has an upload space elsewhere. */
  listOnly?: boolean
}

/** The documents of an account: disclosed ones and submission documents. Files dropped anywhere on it are uploaded. */
export function DocumentsTab({ account, listOnly = false }: DocumentsTabProps) {
  const can = useCan()
  const { auth_user } = useSession()
  const isGuest = useIsGuest()
  const view = useDocumentView(account.show_vanity_by_default)
  const { sov, set } = view
  const mayUpload = !listOnly && can('upload_account_files') && account.accessible_features.upload
  const upload = (files: File[]) => uploadDocuments(auth_user.id, account.id, files, sov ? { ...NO_CHOICES, sov } : NO_CHOICES)
  const drop = useFileDrop(upload)
  const { file_id: shownId } = useParams({ strict: false })
  const isBeside = useIsWide() && shownId !== undefined
  return (
    <div className={classes['tab']} data-over={drop.over || undefined} {...(mayUpload ? drop.handlers : {})}>
      <DocumentKinds files={account.files} sov={sov} onChange={(value) => set({ filter__sov: value ? '1' : undefined })} />
      {account.send_new_files_notification && !isGuest && (
        <Text size="sm" c="dimmed">
          New file notifications are enabled. Users with permission will receive alerts.
        </Text>
      )}
      <div className={classes['besides']} data-beside={isBeside || undefined}>
        <div className={classes['listPart']}>
          <DocumentList
            key={sov ? 'submission' : 'disclosed'}
            accountId={account.id}
            mayHide={account.accessible_features.make_private}
            view={view}
            mayUpload={mayUpload}
            shownId={isBeside ? shownId : undefined}
          />
        </div>
        {isBeside && <div className={classes['panePart']} ref={setPane} />}
      </div>
      {drop.over && <div className={classes['dropHint']}>Drop to upload to {sov ? 'the submission documents' : 'this account'}</div>}
    </div>
  )
}

interface DocumentListProps {
  accountId: string
  mayHide: boolean
  view: ReturnType<typeof useDocumentView>
  mayUpload: boolean
  /** The document that is shown next to the list, which then has room for names only. */
  shownId: string | undefined
}

/** The kind is a part of the view, not a limit of the page: an export of everything has the documents of both. */
function useListFilters(accountId: string, sov: boolean) {
  const fixed = useMemo(() => ({ account_id: accountId }), [accountId])
  const presets = useMemo(() => ({ sov: sov ? '1' : '0' }), [sov])
  return { fixed, presets }
}

/** The list of the documents of one kind. */
function DocumentList({ accountId, mayHide, view: { sov, descriptive, set }, mayUpload, shownId }: DocumentListProps) {
  const can = useCan()
  const isBeside = shownId !== undefined
  const [linking, setLinking] = useState<readonly string[] | null>(null)
  const [changing, setChanging] = useState<readonly string[] | null>(null)
  const { panel: _closed, ...params } = useSearchParams()
  const { fixed, presets } = useListFilters(accountId, sov)
  const uploadVersion = useVersionUpload()
  const cells = useMemo(() => fileCells(descriptive, shownId), [descriptive, shownId])
  const uploadButton = mayUpload && (
    <Button component={Link} to={paths.upload(accountId)} search={true} leftSection={<IconUpload size={16} aria-hidden />}>
      Upload documents
    </Button>
  )
  const names = (
    <Switch
      label="Descriptive names"
      checked={descriptive}
      onChange={(event) => set({ names: event.currentTarget.checked ? 'descriptive' : 'original' })}
    />
  )
  return (
    <>
      {params['search'] !== undefined && <UnreadTexts of={{ accountId, sov }} />}
      <Datatable
        model="account_files"
        label={sov ? 'submission documents' : 'disclosed documents'}
        basePath={`${paths.account(accountId)}/files`}
        openIn="panel"
        fixed={fixed}
        presets={presets}
        rowHref={({ id, text_match: match }) => withQuery(paths.file(accountId, id), { ...params, preview_page: match?.page ?? undefined })}
        cells={cells}
        isSelectable={isSelectable}
        extraCommands={(row) =>
          fileCommands({ accountId, sov, mayHide, can, onLink: setLinking, onSetValues: setChanging, onVersion: uploadVersion }, row)
        }
        hiddenColumns={isBeside ? BESIDE_HIDDEN : sov ? SUBMISSION_HIDDEN : NONE_HIDDEN}
        isNarrow={isBeside}
        toolbarEnd={
          <>
            {names}
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
      {linking && <LinkDialog accountId={accountId} fileIds={linking} onClose={() => setLinking(null)} />}
      {changing && <ValuesDialog accountId={accountId} fileIds={changing} onClose={() => setChanging(null)} />}
    </>
  )
}

/** Which documents are shown and by which of their names. Both are stored in the address. */
function useDocumentView(vanityByDefault: boolean) {
  const { filter__sov, names } = useSearchParams()
  const navigate = useNavigate()
  return {
    sov: filter__sov === '1',
    descriptive: names === 'descriptive' || (names !== 'original' && vanityByDefault),
    set: (change: { filter__sov?: string | undefined; names?: string }) => {
      const search = (current: object) => ({ ...current, page: undefined, ...change })
      void navigate({ to: '.', search, replace: true, resetScroll: false })
    },
  }
}

const KINDS = [
  { kind: 'disclosed', label: 'Disclosed Documents' },
  { kind: 'sov', label: 'Submission Documents' },
] as const

/** The two kinds of documents, each with its number and total size. */
function DocumentKinds({ files, sov, onChange }: { files: Account['files']; sov: boolean; onChange: (sov: boolean) => void }) {
  return (
    <div className={classes['kinds']} role="group" aria-label="Kind of documents">
      {KINDS.map(({ kind, label }) => {
        const isSov = kind === 'sov'
        return (
          <button key={kind} type="button" className={classes['kind']} aria-pressed={sov === isSov} onClick={() => onChange(isSov)}>
            <span className={classes['kindLabel']}>{label}</span>
            {files && (
              <span className={classes['kindSize']}>
                {plural(files[kind], 'document')}, {formatBytes(files.size[kind])}
              </span>
            )}
          </button>
        )
      })}
    </div>
  )
}
