import { Button, Group, Textarea } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { formatDateTime } from '#contract/format.ts'
import { MAINTENANCE_MESSAGE_MAX, maintenanceCalls, type Maintenance } from '#contract/maintenance.ts'
import { api } from '#web/data/client.ts'
import { isApiError } from '#web/data/errors.ts'
import { maintenanceQuery } from '#web/data/maintenance.ts'
import { productName, useSession } from '#web/data/session.ts'
import { Facts } from '#web/engines/panel/facts.tsx'
import { Loaded } from '#web/engines/loaded.tsx'
import { showError } from '#web/engines/show-error.ts'
import { confirmDialog } from '#web/ui/confirm.tsx'
import { PageCard } from '#web/ui/page-card.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { toast } from '#web/ui/toast.tsx'

/** The switch that shuts everyone else out of the whole installation. */
export function MaintenancePanel() {
  const query = useQuery(maintenanceQuery)
  return (
    <PageCard
      title="Maintenance"
      help="During maintenance only users with this switch can work, at all companies. Running jobs continue, and uploads continue when it ends."
    >
      <Loaded query={query} skeleton={<SkeletonRows rows={3} label="Loading the maintenance" />}>
        {(maintenance) => <MaintenanceForm key={maintenance?.started_at ?? 'off'} maintenance={maintenance} />}
      </Loaded>
    </PageCard>
  )
}

function useSwitch() {
  const client = useQueryClient()
  const set = (maintenance: Maintenance | null) => {
    void client.cancelQueries({ queryKey: maintenanceQuery.queryKey })
    client.setQueryData(maintenanceQuery.queryKey, maintenance)
  }
  const save = useMutation({
    mutationFn: (message: string) => api(maintenanceCalls.start, { body: { message } }),
    onSuccess: ({ data }) => set(data),
    onError: showUnlessField,
  })
  const end = useMutation({
    mutationFn: () => api(maintenanceCalls.end),
    onSuccess: ({ message }) => {
      set(null)
      toast.success(message)
    },
    onError: showError,
  })
  return { save, end }
}

/** The error of the field is shown at it. */
const fieldError = (error: unknown) => (isApiError(error) ? error.fields['message']?.[0] : undefined)
const showUnlessField = (error: Error) => fieldError(error) === undefined && showError(error)

function MaintenanceForm({ maintenance }: { maintenance: Maintenance | null }) {
  const { save, end } = useSwitch()
  const { timezone } = useSession().auth_user.company
  const stored = maintenance?.message ?? ''
  const [message, setMessage] = useState(stored)
  const start = async () => {
    const question = {
      title: 'Start maintenance',
      message: `Everyone else is signed out of ${productName()} with their next click, guests included. What they have not saved is lost.`,
      confirm: 'Start maintenance',
    }
    // The server marks a blank message at its field.
    if (message.trim() === '' || (await confirmDialog(question))) save.mutate(message)
  }
  const change = () => save.mutate(message, { onSuccess: () => toast.success('The message was saved.') })
  return (
    <>
      {maintenance !== null && (
        <Facts
          facts={[
            { label: 'In maintenance since', value: formatDateTime(maintenance.started_at, timezone) },
            { label: 'Started by', value: maintenance.started_by },
          ]}
        />
      )}
      <Textarea
        label="Message"
        description="What other users see meanwhile, such as the reason and when it will be over."
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        error={fieldError(save.error)}
        maxLength={MAINTENANCE_MESSAGE_MAX}
        required
        autosize
        minRows={2}
        maxRows={6}
      />
      <Group justify="flex-end" mt="md">
        {maintenance === null ? (
          <Button color="brick" loading={save.isPending} onClick={() => void start()}>
            Start maintenance
          </Button>
        ) : (
          <>
            <Button variant="default" disabled={message === stored} loading={save.isPending} onClick={change}>
              Save message
            </Button>
            <Button loading={end.isPending} onClick={() => end.mutate()}>
              End maintenance
            </Button>
          </>
        )}
      </Group>
    </>
  )
}
