import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatDate, sentenceCase } from '#contract/format.ts'
import { MODELS } from '#contract/models.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
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
  /** Below the facts, once they are loaded. */
  footer?: ReactNode
}

/** One record with its facts; Edit leads to its form, one step below in the address. */
export function RecordPanel({ view, id, closeTo, editable, footer }: RecordPanelProps) {
  const { one } = MODELS[view.model]
  const query = useQuery(queries.record(view.model, id))
  const can = useCan()
  const timeZone = useSession().auth_user.company.timezone
  const open = useOpenPanel()
  const { pathname } = useLocation()
  const record = query.data
  return (
    <RoutePanel
      title={record === undefined ? sentenceCase(one) : view.title(record)}
      size="small"
      closeTo={closeTo}
      actions={
        editable &&
        can(`update_${view.model}`) &&
        record?.accessible_features.update === true && (
          <Button variant="default" onClick={() => open(`${pathname}/edit`)}>
            Edit
          </Button>
        )
      }
    >
      <PanelContent query={query}>
        {(shown) => {
          const deleted = shown.deleted_at === null ? [] : [{ label: 'Deleted', value: formatDate(shown.deleted_at, timeZone) }]
          return <Facts facts={[...view.facts(shown, { can, timeZone }), ...deleted]} />
        }}
      </PanelContent>
      {record && footer}
    </RoutePanel>
  )
}
