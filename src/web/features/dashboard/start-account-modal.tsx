import { Button, Group, Modal, Radio, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { accountCalls } from '#contract/accounts.ts'
import { sentenceCase } from '#contract/format.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError } from '#web/data/errors.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { showError } from '#web/engines/show-error.ts'
import { paths } from '#web/paths.ts'

/** Name, number and, for users with permission to choose, how the documents are collected. */
export function StartAccountModal({ onClose }: { onClose: () => void }) {
  const mayChoose = useCan()('create_standard_accounts')
  const { provider } = useSession().config
  const navigate = useNavigate()
  const form = useForm<{ name: string; account_number: string; file_retrieval_method?: 'upload' | 'assisted' }>({
    initialValues: { name: '', account_number: '' },
    validate: {
      file_retrieval_method: (method) => (mayChoose && !method ? 'Please choose how the documents will be collected.' : null),
    },
  })
  const start = useMutation({
    mutationFn: (values: typeof form.values) => api(accountCalls.create, { body: { ...values, type: 'managed' } }),
    onSuccess: ({ data }) => {
      invalidateAfterWrite('accounts', null)
      void navigate({ to: paths.account(data.id) })
    },
    onError: (error) => {
      if (isApiError(error) && Object.keys(error.fields).length > 0) form.setErrors(firstMessages(error))
      else showError(error)
    },
  })
  return (
    <Modal.Root opened onClose={onClose} centered>
      <Modal.Overlay backgroundOpacity={0.4} />
      <Modal.Content>
        {/* Mantine's header element would be a second banner of the page. */}
        <Group justify="space-between" wrap="nowrap" gap={0} p="md">
          <Modal.Title>Start an Account</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Group>
        <Modal.Body>
          <form onSubmit={form.onSubmit((values) => start.mutate(values))} noValidate>
            <Stack gap="md">
              <TextInput label="Account name" required data-autofocus {...form.getInputProps('name')} />
              <TextInput label="Account number" {...form.getInputProps('account_number')} />
              {mayChoose && (
                <Radio.Group label="How will the documents be collected?" required {...form.getInputProps('file_retrieval_method')}>
                  <Stack gap="xs" my="xs">
                    <Radio value="upload" label="Upload" description="You or your colleagues upload the documents." />
                    <Radio value="assisted" label="Assisted" description={`${sentenceCase(provider)} collects the documents.`} />
                  </Stack>
                </Radio.Group>
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
