import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AccountFile } from '#contract/account-files.ts'
import { fileVersionCalls, type FileVersion } from '#contract/file-versions.ts'
import { formatBytes } from '#contract/format.ts'
import { api } from '#web/data/client.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { TitledSection } from '#web/ui/titled-section.tsx'
import { downloadVersion, makeVersionCurrent } from './file-commands.ts'
import classes from './file.panel.module.css'
import { useVersionUpload } from './use-version-upload.ts'

interface VersionSectionProps {
  file: AccountFile
  /** The number of the version in the preview. */
  shown: number
  onShow: (version: FileVersion) => void
}

/** The versions of a document, newest first. Each can be shown, downloaded and made the current one. */
export function VersionSection({ file, shown, onShow }: VersionSectionProps) {
  const can = useCan()
  const upload = useVersionUpload()
  const { update, download, preview } = file.accessible_features
  const query = useQuery({
    // Under the record, so that every change of the document refetches them.
    queryKey: ['record', 'account_files', file.id, 'versions'],
    queryFn: async ({ signal }) => {
      const { data } = await api(fileVersionCalls.list, { params: { id: file.account_id, file_id: file.id }, signal })
      return data
    },
  })
  // A single version says nothing to those who cannot add another one.
  if (!update && (query.data?.length ?? 1) === 1) return null
  return (
    <TitledSection
      title="Versions"
      action={
        update &&
        can('upload_account_files') && (
          <Button variant="default" size="xs" onClick={() => upload(file)}>
            Upload a new version
          </Button>
        )
      }
    >
      <Loaded query={query} skeleton={<SkeletonRows rows={1} label="Loading the versions" />} failure="The versions could not be loaded.">
        {(versions) => (
          <ol className={classes['versions']}>
            {versions.map((version) => (
              <li key={version.number} aria-current={version.number === shown || undefined}>
                <VersionText version={version} />
                {versions.length > 1 && (
                  <div className={classes['versionCommands']}>
                    {preview && version.number !== shown && (
                      <Button size="compact-xs" variant="default" onClick={() => onShow(version)}>
                        Show
                      </Button>
                    )}
                    {download && (
                      <Button size="compact-xs" variant="default" onClick={() => void downloadVersion(file, version)}>
                        Download
                      </Button>
                    )}
                    {update && !version.is_current && (
                      <Button size="compact-xs" variant="default" onClick={() => void makeVersionCurrent(file, version.number)}>
                        Make current
                      </Button>
                    )}
                  </div>
                )}
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </TitledSection>
  )
}

function VersionText({ version }: { version: FileVersion }) {
  const zone = useSession().auth_user.company.timezone
  const { number, is_current: isCurrent, file_name: name, size, created_at: at, created_by: by } = version
  return (
    <>
      <strong>
        Version {number}
        {isCurrent && ', current'}
      </strong>
      <span className={classes['versionName']}>{name}</span>
      <span className={classes['versionFacts']}>
        <DateText iso={at} zone={zone} />, {formatBytes(size)}
        {by !== null && `, ${by.full_name}`}
      </span>
    </>
  )
}
