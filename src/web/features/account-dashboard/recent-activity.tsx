import { useMutation } from '@tanstack/react-query'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { accountCalls } from '#contract/accounts.ts'
import { apiFile } from '#web/data/client.ts'
import { ActivityList } from '#web/engines/activity-list.tsx'
import { showError } from '#web/engines/show-error.ts'
import { saveBlob } from '#web/ui/download.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import card from './overview.module.css'

/** The activity on the account. */
export function RecentActivity({ accountId }: { accountId: string }) {
  const saving = useMutation({
    mutationFn: () => apiFile(accountCalls.exportActivity, { params: { id: accountId } }),
    onSuccess: ({ blob, fileName = 'activity.csv' }) => saveBlob(blob, fileName),
    onError: (error) => showError(error),
  })
  return (
    <section className={card['card']} aria-labelledby="recent-activity">
      <div className={card['activityHead']}>
        <h2 id="recent-activity" className={card['title']}>
          Recent Activity
        </h2>
        <IconButton name="Export the activity (CSV)" loading={saving.isPending} onClick={() => saving.mutate()}>
          <IconDownload size={16} stroke={1.6} aria-hidden />
        </IconButton>
      </div>
      <ActivityList model="accounts" id={accountId} />
    </section>
  )
}
