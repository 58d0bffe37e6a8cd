import { useQuery } from '@tanstack/react-query'
import type { AccountFile } from '#contract/account-files.ts'
import { documentName } from '#contract/account-files.ts'
import { fileVersionCalls, type FileVersion } from '#contract/file-versions.ts'
import { DOWNLOAD_LINK_LIFE_MS } from '#contract/limits.ts'
import { previewKind } from '#contract/preview-kind.ts'
import { api } from '#web/data/client.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { NO_CHOICES, uploadDocuments } from '#web/engines/upload/uploads.ts'
import { downloadFile, downloadVersion } from '../file-commands.ts'
import { ContentPreview } from './content-preview.tsx'
import { LOADING } from './loading.tsx'
import { NOT_FOR_VIEWING, NoPreview } from './no-preview.tsx'
import { PlainTextPreview } from './plain-text-preview.tsx'
import type { ShownFile } from './shown-file.ts'

interface FilePreviewProps {
  file: AccountFile
  version?: FileVersion | undefined
  page: number
}

/** Shows the current file of a document from the given page, or one of its versions. Files that cannot be shown say why and offer the download. */
export function FilePreview({ file, version, page }: FilePreviewProps) {
  const can = useCan()
  const { auth_user } = useSession()
  const allowed = can('preview_files') && file.accessible_features.preview
  const number = version?.number ?? file.file_number
  const params = { id: file.account_id, file_id: file.id, number }
  const key = `${file.id} ${number}`
  // A preview that is opened again gets a new link, because links are valid for a minute.
  const query = useQuery({
    queryKey: ['file-preview', key],
    queryFn: async ({ signal }) => (await api(fileVersionCalls.preview, { params, signal })).data,
    enabled: allowed,
    staleTime: DOWNLOAD_LINK_LIFE_MS / 2,
    gcTime: DOWNLOAD_LINK_LIFE_MS / 2,
    refetchOnWindowFocus: false,
  })
  const download = file.accessible_features.download
    ? () => void (version === undefined ? downloadFile(file) : downloadVersion(file, version))
    : undefined
  if (!allowed) return <NoPreview download={download} reason="You don't have permission to preview this document." />
  const shown = (url: string | null, type: string): ShownFile => ({
    key,
    name: version?.file_name ?? file.file.original_file_name,
    type,
    size: version?.size ?? file.file.size ?? 0,
    page: version === undefined ? page : 1,
    download,
    store: can('upload_account_files')
      ? (attachment) =>
          uploadDocuments(auth_user.id, file.account_id, [attachment], file.private ? { ...NO_CHOICES, private: true } : NO_CHOICES)
      : undefined,
    content: {
      kind: 'stored',
      url: url ?? '',
      renew: async () => (await api(fileVersionCalls.preview, { params })).data.url ?? '',
      readSheet: async (sheet, signal) => (await api(fileVersionCalls.sheet, { params, query: { sheet }, signal })).data,
    },
  })
  return (
    <Loaded query={query} skeleton={LOADING} failure={`The preview of ${documentName(file)} could not be loaded.`}>
      {({ url, type }) => {
        const content = shown(url, type)
        if (url !== null || previewKind(type, content.name) === 'sheet') return <ContentPreview key={key} file={content} />
        // The text of former versions is not kept.
        return version === undefined ? <PlainTextPreview file={file} /> : <NoPreview reason={NOT_FOR_VIEWING} />
      }}
    </Loaded>
  )
}
