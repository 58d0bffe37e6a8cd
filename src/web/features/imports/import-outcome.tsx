import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSession } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { formatDateTime } from '#contract/format.ts'
import { Notice } from '#web/ui/notice.tsx'
import type { Import } from '#contract/imports.ts'
import { STATE_WORDS, leftAside } from './import-words.ts'
import { PreviewSums } from './preview-sums.tsx'
import previewClasses from './preview.module.css'

const numbered = (count: number | undefined) => (count ?? 0).toLocaleString('en-US')

/** What became of an import that is over. */
export function ImportOutcome({ accountId, data, onAgain }: { accountId: string; data: Import; onAgain: () => void }) {
  const zone = useSession().auth_user.company.timezone
  const aside = leftAside(data.counts)
  return (
    <Stack gap="md" maw={880}>
      <Title order={2}>{data.file_name}</Title>
      {data.state === 'failed' ? (
        <Notice kind="error" title="The file could not be imported">
          {data.failure ?? 'Choose the file again or another one.'}
        </Notice>
      ) : (
        <Text>
          {STATE_WORDS[data.state]}
          {data.committed_at !== null && ` on ${formatDateTime(data.committed_at, zone)}`} by {data.created_by}.
        </Text>
      )}
      {data.state === 'committed' && (
        <>
          <div className={previewClasses['sums']}>
            <Count label="Added" count={data.counts.add} />
            <Count label="Changed" count={data.counts.change} />
            <Count label="Unchanged" count={data.counts.unchanged} />
            <Count label="Marked divested" count={data.counts.remove} />
          </div>
          {data.sums && <PreviewSums sums={data.sums} />}
          {aside !== '' && <Text c="dimmed">Not imported: {aside}.</Text>}
        </>
      )}
      <Group>
        {data.state !== 'committed' && <Button onClick={onAgain}>Choose another file</Button>}
        <Button component={Link} to={paths.accountTab(accountId, 'properties')} variant={data.state === 'committed' ? 'filled' : 'default'}>
          Open properties
        </Button>
        {data.state === 'committed' && (
          <Button variant="default" onClick={onAgain}>
            Import another file
          </Button>
        )}
      </Group>
    </Stack>
  )
}

function Count({ label, count }: { label: string; count: number | undefined }) {
  return (
    <dl style={{ margin: 0 }}>
      <dt>{label}</dt>
      <dd>{numbered(count)}</dd>
    </dl>
  )
}
