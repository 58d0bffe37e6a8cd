import { Group, Stack } from '@mantine/core'
import type { AccountFile } from '#contract/account-files.ts'
import { DOCUMENT_CATEGORIES, DOCUMENT_CATEGORY_CODES } from '#contract/document-categories.ts'
import { useSession } from '#web/data/session.ts'
import { Facts } from '#web/engines/panel/facts.tsx'
import { formatBytes, formatDate, formatDateTime } from '#contract/format.ts'
import { FileFlags } from './file-flags.tsx'

/** What is known about a document, for those who may only read. */
export function FileFacts({ file }: { file: AccountFile }) {
  const zone = useSession().auth_user.company.timezone
  const category = DOCUMENT_CATEGORY_CODES.find((code) => code === file.category) ?? 'other'
  return (
    <Stack gap="sm">
      <Group gap={6}>
        <FileFlags file={file} />
      </Group>
      <Facts
        facts={[
          { label: 'Descriptive Name', value: file.vanity_name },
          { label: 'Category', value: DOCUMENT_CATEGORIES[category].label },
          { label: 'Report Date', value: file.report_author_date === null ? null : formatDate(file.report_author_date, zone) },
          {
            label: 'Properties',
            value: file.covers_all_properties ? 'All properties' : file.properties.map((property) => property.full_address).join('; '),
          },
        ]}
      />
    </Stack>
  )
}

/** Where a document came from: nobody changes that. */
export function FileOrigin({ file }: { file: AccountFile }) {
  const zone = useSession().auth_user.company.timezone
  return (
    <Facts
      facts={[
        { label: 'Original File Name', value: file.file.original_file_name },
        { label: 'Size', value: file.file.size === null ? null : formatBytes(file.file.size) },
        { label: 'Uploaded', value: formatDateTime(file.created_at, zone) },
        { label: 'Uploaded by', value: file.created_by?.full_name ?? null },
      ]}
    />
  )
}
