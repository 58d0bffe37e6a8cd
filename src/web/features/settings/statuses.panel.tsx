import { DndContext, KeyboardSensor, PointerSensor, closestCenter, useSensor, useSensors, type DragEndEvent } from '@dnd-kit/core'
import { SortableContext, arrayMove, sortableKeyboardCoordinates, verticalListSortingStrategy } from '@dnd-kit/sortable'
import { Button } from '@mantine/core'
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useRef, useState } from 'react'
import { codesOf } from '#contract/code-lists.ts'
import { STATUSES_MAX } from '#contract/limits.ts'
import { STATUS_GROUPS, statusCalls, statusGroup, type CompanyStatus, type StatusGroup } from '#contract/statuses.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { showError } from '#web/engines/show-error.ts'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { STATUS_CHANGES } from './status-changes.ts'
import { StatusRow } from './status-row.tsx'
import classes from './settings.module.css'

/** The statuses of the company, which are saved as they are changed. */
export function StatusesPanel() {
  const can = useCan()
  const query = useQuery(queries.statuses())
  const saving = useIsMutating({ mutationKey: STATUS_CHANGES }) > 0
  const groups = codesOf(STATUS_GROUPS).filter((name) => {
    const { needs } = statusGroup(name)
    return needs === undefined || can(needs)
  })
  return (
    <section className={`${classes['card'] ?? ''} ${classes['wide'] ?? ''}`} aria-label="System Statuses">
      <h2>System Statuses</h2>
      <p role="status">
        {saving ? 'Saving…' : can('update_statuses') ? 'Changes are saved as you type.' : 'You can see these, but not change them.'}
      </p>
      <Loaded query={query} skeleton={<SkeletonRows rows={6} label="Loading the statuses" />}>
        {(statuses) => (
          <div className={classes['groups']}>
            {groups.map((group) => (
              <Group key={group} group={group} statuses={statuses.filter(({ model_type }) => model_type === group)} />
            ))}
          </div>
        )}
      </Loaded>
    </section>
  )
}

interface GroupProps {
  group: StatusGroup
  statuses: readonly CompanyStatus[]
}

const place = (statuses: readonly CompanyStatus[], changed: CompanyStatus) =>
  statuses.some(({ id }) => id === changed.id) ? statuses.map((one) => (one.id === changed.id ? changed : one)) : [...statuses, changed]

/** One group, in an order that can be changed by dragging or with the keyboard. New rows are at the end until their first save. */
function Group({ group, statuses }: GroupProps) {
  const can = useCan()
  const client = useQueryClient()
  const { queryKey } = queries.statuses()
  const [unsaved, setUnsaved] = useState<readonly string[]>([])
  // A saved row remains the same element, so that it keeps the focus.
  const keys = useRef(new Map<string, string>())
  const keyOf = ({ id }: CompanyStatus) => keys.current.get(id) ?? id
  const count = useRef(0)
  const { label, help } = statusGroup(group)

  const saved = (key: string) => (status: CompanyStatus) => {
    keys.current.set(status.id, key)
    client.setQueryData(queryKey, (all) => all && place(all, status))
    setUnsaved((rows) => rows.filter((other) => other !== key))
    invalidateAfterWrite('accounts', null)
  }
  const removed = (key: string, id: string | undefined) => () => {
    setUnsaved((rows) => rows.filter((other) => other !== key))
    client.setQueryData(queryKey, (all) => all?.filter((one) => one.id !== id))
    if (id !== undefined) invalidateAfterWrite('accounts', null)
  }
  const moving = useMutation({
    mutationKey: STATUS_CHANGES,
    mutationFn: ({ id, position }: { id: string; position: number }) => api(statusCalls.update, { params: { id }, body: { position } }),
    onError: (error) => showError(error),
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
  const drop = ({ active, over }: DragEndEvent) => {
    const shown = statuses.map(keyOf)
    const [from, to] = [shown.indexOf(String(active.id)), shown.indexOf(String(over?.id))]
    const status = statuses[from]
    if (status === undefined || to < 0 || to === from) return
    const order = arrayMove([...statuses], from, to)
    client.setQueryData(queryKey, (all) => all && [...all.filter(({ model_type }) => model_type !== group), ...order])
    moving.mutate({ id: status.id, position: to })
  }
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const add = () => {
    count.current += 1
    setUnsaved([...unsaved, `new ${group} ${String(count.current)}`])
  }
  const rows = [...statuses.map((status) => ({ key: keyOf(status), status })), ...unsaved.map((key) => ({ key, status: undefined }))]
  return (
    <div className={classes['group']} role="group" aria-label={label}>
      <h3>{label}</h3>
      <p>{help}</p>
      <DndContext sensors={sensors} collisionDetection={closestCenter} onDragEnd={drop}>
        <SortableContext items={rows.map(({ key }) => key)} strategy={verticalListSortingStrategy}>
          <ul>
            {rows.map(({ key, status }) => (
              <StatusRow key={key} rowKey={key} group={group} status={status} onSaved={saved(key)} onRemoved={removed(key, status?.id)} />
            ))}
          </ul>
        </SortableContext>
      </DndContext>
      {can('create_statuses') && (
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={rows.length >= STATUSES_MAX}
          onClick={add}
        >
          Add status
        </Button>
      )}
    </div>
  )
}
