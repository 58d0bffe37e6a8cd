import { useMutation } from '@tanstack/react-query'
import { accountCalls, type Account } from '#contract/accounts.ts'
import { api } from '#web/data/client.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { showError } from '#web/engines/show-error.ts'
import { confirmDialog } from '#web/ui/confirm.tsx'
import { toast } from '#web/ui/toast.tsx'

/** An invitation chooses the third one when it is created. */
type Method = Exclude<Account['file_retrieval_method'], 'invite'>

const ASK =
  'Please confirm that you would like the provider to retrieve and upload the documents for you. This will notify the provider immediately.'
const CANCEL = 'Would you like to cancel your request for the provider to retrieve and upload the documents for you?'
const ANSWERS = { confirm: 'Yes', cancel: 'No', danger: false }

/** Chooses how documents are collected. A request to the provider begins and ends only after a confirmation. */
export function useMethod({ id, file_retrieval_method: current }: Account) {
  const saving = useMutation({
    mutationFn: (method: Method) => api(accountCalls.update, { params: { id }, body: { account_id: id, file_retrieval_method: method } }),
    onSuccess: (_answer, method) => {
      if (method === 'assisted') toast.success('Awesome! We will contact you soon to collect documents.')
      else if (current === 'assisted') toast.success('No problem! We will wait for you to upload your documents.')
    },
    onError: (error) => showError(error),
    onSettled: () => invalidateAfterWrite('accounts', id, id),
  })
  /** Resolves to false if the user declined, or if it could not be saved. */
  const choose = async (method: Method): Promise<boolean> => {
    if (method === current) return true
    if (method === 'assisted' && !(await confirmDialog({ title: 'Ask for the documents', message: ASK, ...ANSWERS }))) return false
    if (current === 'assisted' && !(await confirmDialog({ title: 'Cancel the request', message: CANCEL, ...ANSWERS }))) return false
    return saving.mutateAsync(method).then(
      () => true,
      () => false,
    )
  }
  return { choose, saving: saving.isPending ? saving.variables : undefined }
}
