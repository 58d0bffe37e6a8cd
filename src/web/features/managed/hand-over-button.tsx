import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { accountCalls, type Account } from '#contract/accounts.ts'
import { managedCalls } from '#contract/managed.ts'
import { api } from '#web/data/client.ts'
import { useCan } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { showError } from '#web/engines/show-error.ts'
import { isRunning } from '#web/engines/upload/upload-item.ts'
import { useUploadsOf } from '#web/engines/upload/uploads.ts'
import { toast } from '#web/ui/toast.tsx'
import classes from './managed.module.css'

/** Ends the collection: a request by users who can change the account, a message by users who only upload. */
export function HandOverButton({ account }: { account: Account }) {
  const { id, files, file_retrieval_method: method } = account
  const mayRequest = useCan()('update_accounts') && account.accessible_features.update
  const isUploading = useUploadsOf(id, 'document').some(isRunning)
  const request = useMutation({
    mutationFn: async () => {
      if (mayRequest) await api(accountCalls.update, { params: { id }, body: { status_state: 'processing' } })
      else await api(managedCalls.handOver, { params: { id } })
    },
    onSuccess: () => toast.success('A review of your files has been requested.'),
    onError: (error) => showError(error),
    onSettled: () => invalidateAfterWrite('accounts', id, id),
  })
  const isMissing = files !== null && files.total === 0 && method !== 'assisted'
  const reason = isUploading ? 'Wait until the uploads are finished.' : isMissing ? 'Upload at least one document first.' : undefined
  const label = mayRequest ? 'Request Account Setup' : 'I am done'
  return (
    <>
      <p>
        The setup begins when you press “{label}”{method === 'assisted' ? '.' : ', or an hour after the last document arrived.'}
      </p>
      <div className={classes['foot']}>
        <Button
          disabled={reason !== undefined}
          aria-describedby={`${id}-reason`}
          loading={request.isPending}
          onClick={() => request.mutate()}
        >
          {label}
        </Button>
        <span id={`${id}-reason`} className={classes['reason']}>
          {reason}
        </span>
      </div>
    </>
  )
}
