import { Button, Group, Modal, Radio, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState, type SyntheticEvent } from 'react'
import { accountCalls } from '#contract/accounts.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError } from '#web/data/errors.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { showError } from '#web/engines/show-error.ts'
import { paths } from '#web/paths.ts'
import classes from './start-account-modal.module.css'

type Retrieval = 'upload' | 'assisted'
interface Draft {
  name: string
  account_number: string
  file_retrieval_method: Retrieval | ''
}
const EMPTY: Draft = { name: '', account_number: '', file_retrieval_method: '' }

function useStart(onErrors: (errors: Readonly<Record<string, string>>) => void) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ name, account_number, file_retrieval_method: method }: Draft) =>
      api(accountCalls.create, {
        body: { name, account_number, type: 'managed', ...(method === '' ? {} : { file_retrieval_method: method }) },
      }),
    onSuccess: ({ data }) => {
      invalidateAfterWrite('accounts', null)
      void navigate({ to: paths.account(data.id) })
    },
    onError: (error) => {
      if (isApiError(error) && Object.keys(error.fields).length > 0) onErrors(firstMessages(error))
      else showError(error)
    },
  })
}

/** Name, number and, for those who may choose, how the documents will come: enough to begin (S1 2.3). */
export function StartAccountModal({ onClose }: { onClose: () => void }) {
  const mayChoose = useCan()('create_standard_accounts')
  const [draft, setDraft] = useState(EMPTY)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const start = useStart(setErrors)
  const change = (patch: Partial<Draft>) => {
    setDraft({ ...draft, ...patch })
    // A field that is being mended is no longer wrong.
    setErrors(Object.fromEntries(Object.entries(errors).filter(([field]) => !(field in patch))))
  }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (mayChoose && draft.file_retrieval_method === '')
      setErrors({ file_retrieval_method: 'Please choose how the documents will be collected.' })
    else start.mutate(draft)
  }
  return (
    <Modal.Root opened onClose={onClose} centered>
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content>
        {/* Not the library's heading, which would be a second banner of the page. */}
        <div className={classes['head']}>
          <Modal.Title>Start an Account</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <Modal.Body>
          <form onSubmit={submit} noValidate>
            <Stack gap="md">
              <TextInput
                label="Account name"
                value={draft.name}
                error={errors['name']}
                onChange={(event) => change({ name: event.currentTarget.value })}
                required
                data-autofocus
              />
              <TextInput
                label="Account number"
                value={draft.account_number}
                error={errors['account_number']}
                onChange={(event) => change({ account_number: event.currentTarget.value })}
              />
              {mayChoose && (
                <RetrievalChoice
                  value={draft.file_retrieval_method}
                  error={errors['file_retrieval_method']}
                  onChange={(method) => change({ file_retrieval_method: method })}
                />
              )}
              <Group justify="flex-end">
                <Button variant="default" onClick={onClose}>
                  Cancel
                </Button>
                <Button type="submit" loading={start.isPending}>
                  Start account
                </Button>
              </Group>
            </Stack>
          </form>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

interface RetrievalChoiceProps {
  value: Retrieval | ''
  error: string | undefined
  onChange: (method: Retrieval) => void
}

function RetrievalChoice({ value, error, onChange }: RetrievalChoiceProps) {
  const { provider } = useSession().config
  return (
    <Radio.Group
      label="How will the documents be collected?"
      value={value}
      error={error}
      onChange={(chosen) => onChange(chosen === 'assisted' ? 'assisted' : 'upload')}
      required
    >
      <Stack gap="xs" my="xs">
        <Radio value="upload" label="Upload" description="You or your colleagues upload the documents." />
        <Radio value="assisted" label="Assisted" description={`Collecting them is handed to ${provider}.`} />
      </Stack>
    </Radio.Group>
  )
}
