import { Button, Group, Modal, MultiSelect, Select, Stack, Text, TextInput, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQuery } from '@tanstack/react-query'
import { documentName } from '#contract/account-files.ts'
import {
  RECOMMENDATION_STATUSES,
  REPORTED_STATUSES,
  STORED_STATUSES,
  needsReason,
  type Recommendation,
  type RecommendationStatus,
} from '#contract/recommendations.ts'
import { riskControlCalls, type RiskControl } from '#contract/risk-control.ts'
import { api } from '#web/data/client.ts'
import { firstMessages, isApiError, messageOf } from '#web/data/errors.ts'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'

interface AnswerDialogProps {
  one: Recommendation
  report: RiskControl
  onClose: () => void
}

/** The statuses that the user can choose: what the surveyor decides needs the right to edit the report. */
const choices = (status: RecommendationStatus, isEditor: boolean) =>
  STORED_STATUSES.filter((name) => isEditor || name === status || REPORTED_STATUSES.includes(name)).map((name) => ({
    value: name,
    label: RECOMMENDATION_STATUSES[name],
  }))

/** The values of the dialog and their save. */
function useAnswer({ one, report: { id, account_id: accountId }, onClose }: AnswerDialogProps) {
  const form = useForm({ initialValues: { status: one.status, text: '', due_on: '', files: [] as string[] } })
  const { status, text, due_on: due, files } = form.values
  const isChanged = status !== one.status
  const change = isChanged && status !== 'repeated' && one.status !== 'repeated' ? { status, from: one.status } : {}
  const send = useMutation({
    mutationFn: () =>
      api(riskControlCalls.respond, {
        params: { id, recommendation_id: one.id },
        body: { text, files, ...change, ...(isChanged && status === 'deferred' ? { due_on: due } : {}) },
      }),
    onSuccess: ({ message }) => {
      toast.success(message)
      onClose()
    },
    onSettled: () => invalidateAfterWrite('risk_control', id, accountId),
  })
  const errors = isApiError(send.error) ? firstMessages(send.error) : {}
  const field = (name: keyof typeof form.values) => ({ ...form.getInputProps(name), error: errors[name] })
  const failure = send.isError && Object.keys(errors).length === 0 ? messageOf(send.error) : null
  const submit = form.onSubmit(() => send.mutate())
  return {
    field,
    submit,
    failure,
    isSaving: send.isPending,
    isDeferred: isChanged && status === 'deferred',
    isReason: isChanged && needsReason(status),
  }
}

/** Answers a recommendation, and changes its status. */
export function AnswerDialog(props: AnswerDialogProps) {
  const { one, report, onClose } = props
  const can = useCan()
  const { field, submit, failure, isSaving, isDeferred, isReason } = useAnswer(props)
  const isEditor = can('update_risk_control')
  const isDecided = !isEditor && !REPORTED_STATUSES.includes(one.status) && one.status !== 'deferred'
  return (
    <Modal opened onClose={onClose} title={`Answer ${one.number}`} zIndex={400}>
      <form noValidate onSubmit={submit}>
        <Stack gap="md">
          <Text>{one.title}</Text>
          {failure !== null && <Notice kind="error">{failure}</Notice>}
          <Select
            label="Status"
            size="md"
            data={choices(one.status, isEditor)}
            allowDeselect={false}
            disabled={isDecided}
            {...field('status')}
          />
          {isDeferred && <TextInput type="date" label="New due date" size="md" required {...field('due_on')} />}
          <Textarea
            label={isReason ? 'Reason' : 'What was done, or will be done'}
            required={isReason}
            size="md"
            autosize
            minRows={3}
            maxRows={10}
            data-autofocus
            {...field('text')}
          />
          {can('view_account_files') && <Documents accountId={report.account_id} propertyId={report.property_id} input={field('files')} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isSaving}>
              Save answer
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

const MAX_DOCUMENTS = '100'

function Documents({ accountId, propertyId, input }: { accountId: string; propertyId: string; input: object }) {
  const { data } = useQuery(
    queries.index('account_files', { filter__account_id: accountId, filter__property_id: propertyId, paginate: MAX_DOCUMENTS }),
  )
  const options = (data?.data ?? []).map(({ file }) => ({ value: file.id, label: documentName(file) }))
  return options.length === 0 ? null : <MultiSelect label="Documents of the property" data={options} size="md" searchable {...input} />
}
