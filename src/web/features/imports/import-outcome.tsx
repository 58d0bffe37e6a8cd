import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatDateTime, formatNumber } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import { useSession } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import { Notice } from '#web/ui/notice.tsx'
import { STATE_LABELS, leftOut } from './import-labels.ts'
import classes from './preview.module.css'
import { PreviewSums } from './preview.tsx'

/** What a finished import did. */
export function ImportOutcome({ accountId, data, onAgain }: { accountId: string; data: Import; onAgain: () => void }) {
  const zone = useSession().auth_user.company.timezone
  const { add, change, unchanged, remove } = data.counts
  const isCommitted = data.state === 'committed'
  const skipped = leftOut(data.counts)
  return (
    <Stack gap="md" maw={880}>
      <Title order={2}>{data.file_name}</Title>
      {data.state === 'failed' ? (
        <Notice kind="error" title="The file could not be imported">
          {data.failure ?? 'Choose the file again or another one.'}
        </Notice>
      ) : (
        <Text>
          {STATE_LABELS[data.state]}
          {data.committed_at !== null && ` on ${formatDateTime(data.committed_at, zone)}`} by {data.created_by}.
        </Text>
      )}
      {isCommitted && (
        <>
          <div className={classes['sums']}>
            {Object.entries({ Added: add, Changed: change, Unchanged: unchanged, 'Marked divested': remove }).map(([label, count]) => (
              <dl key={label} style={{ margin: 0 }}>
                <dt>{label}</dt>
                <dd>{formatNumber(count)}</dd>
              </dl>
            ))}
          </div>
          {data.sums && <PreviewSums sums={data.sums} />}
          {skipped !== '' && <Text c="dimmed">Left out: {skipped}.</Text>}
        </>
      )}
      <Group>
        {!isCommitted && <Button onClick={onAgain}>Choose another file</Button>}
        <Button component={Link} to={paths.accountTab(accountId, 'properties')} variant={isCommitted ? 'filled' : 'default'}>
          Open properties
        </Button>
        {isCommitted && (
          <Button variant="default" onClick={onAgain}>
            Import another file
          </Button>
        )}
      </Group>
    </Stack>
  )
}
