import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { sentenceCase } from '#contract/format.ts'
import { MODELS } from '#contract/models.ts'
import { api } from '#web/data/client.ts'
import { modelCalls, type FormModel, type TrashCalls } from '#web/data/models.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { DateText } from '#web/ui/date-text.tsx'
import { toast } from '#web/ui/toast.tsx'
import { ActivitySection } from '../activity-list.tsx'
import { showError } from '../show-error.ts'
import { Facts } from '../panel/facts.tsx'
import { PanelContent } from '../panel/panel-states.tsx'
import { RoutePanel, useOpenPanel } from '../panel/route-panel.tsx'
import type { ModelView } from './model-view.ts'

interface RecordPanelProps {
  view: ModelView
  id: string
  /** The list underneath. */
  closeTo: string
  /** False where the address has no form below it. */
  editable: boolean
  /** The record that the panel was opened from, one step above in the address. */
  back?: { label: string; to: string } | undefined
  /** Commands that stay visible, once the record is loaded. */
  footer?: ReactNode
}

/** One record with its facts; Edit leads to its form, one step below in the address. */
export function RecordPanel({ view, id, closeTo, editable, back, footer }: RecordPanelProps) {
  const { one } = MODELS[view.model]
  const query = useQuery(queries.record(view.model, id))
  const can = useCan()
  const zone = useSession().auth_user.company.timezone
  const date = (iso: string) => <DateText iso={iso} zone={zone} />
  const open = useOpenPanel()
  const { pathname } = useLocation()
  const record = query.data
  return (
    <RoutePanel
      title={record === undefined ? sentenceCase(one) : view.title(record)}
      size="small"
      closeTo={closeTo}
      back={back}
      actions={
        record?.deleted_at != null && can(`delete_${view.model}`) && record.accessible_features.delete ? (
          <RestoreButton model={view.model} id={id} />
        ) : (
          editable &&
          can(`update_${view.model}`) &&
          record?.accessible_features.update === true && (
            <Button variant="default" onClick={() => open(`${pathname}/edit`)}>
              Edit
            </Button>
          )
        )
      }
    >
      <PanelContent query={query}>
        {(shown) => {
          const deleted = shown.deleted_at === null ? [] : [{ label: 'Deleted', value: date(shown.deleted_at) }]
          const facts = [...view.facts(shown, { can, date }), ...deleted]
          return (
            <>
              {facts.length > 0 && <Facts facts={facts} />}
              {view.below?.(shown, { can, date })}
            </>
          )
        }}
      </PanelContent>
      {record && <ActivitySection model={view.model} id={id} />}
      {record && footer}
    </RoutePanel>
  )
}

function RestoreButton({ model, id }: { model: FormModel; id: string }) {
  const calls: TrashCalls = modelCalls[model]
  const { mutate, isPending } = useMutation({
    mutationFn: () => api(calls.restore, { body: { selectedIds: [id] } }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => showError(error, true),
    onSettled: () => invalidateAfterWrite(model, id),
  })
  return (
    <Button variant="default" loading={isPending} onClick={() => mutate()}>
      Restore
    </Button>
  )
}
