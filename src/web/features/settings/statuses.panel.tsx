import { Button } from '@mantine/core'
import { useIsMutating, useQuery } from '@tanstack/react-query'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { codesOf } from '#contract/code-lists.ts'
import { STATUSES_MAX } from '#contract/limits.ts'
import { STATUS_GROUPS, statusGroup, type CompanyStatus, type StatusGroup } from '#contract/statuses.ts'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { PageCard } from '#web/ui/page-card.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { SortableList } from '#web/ui/sortable-list.tsx'
import { StatusRow } from './status-row.tsx'
import { STATUS_CHANGES, useStatusGroup } from './use-status-group.ts'
import classes from './settings.module.css'

const helpFor = (can: ReturnType<typeof useCan>): string => {
  if (can('update_statuses')) return 'Changes are saved as you type.'
  const others = [can('create_statuses') && 'add', can('delete_statuses') && 'delete'].filter((verb) => verb !== false)
  return others.length === 0 ? 'You can see these, but not change them.' : `You can ${others.join(' and ')} these, but not change them.`
}

/** The statuses of the company, which are saved as they are changed. */
export function StatusesPanel() {
  const can = useCan()
  const query = useQuery(queries.statuses())
  const saving = useIsMutating({ mutationKey: STATUS_CHANGES }) > 0
  const groups = codesOf(STATUS_GROUPS).filter((name) => {
    const { needs } = statusGroup(name)
    return needs === undefined || can(needs)
  })
  const help = saving ? 'Saving…' : helpFor(can)
  return (
    <PageCard title="System Statuses" help={help} wide>
      <Loaded query={query} skeleton={<SkeletonRows rows={6} label="Loading the statuses" />}>
        {(statuses) => (
          <div className={classes['groups']}>
            {groups.map((group) => (
              <Group key={group} group={group} statuses={statuses.filter(({ model_type }) => model_type === group)} />
            ))}
          </div>
        )}
      </Loaded>
    </PageCard>
  )
}

interface GroupProps {
  group: StatusGroup
  statuses: readonly CompanyStatus[]
}

/** One group, in an order that can be changed by dragging or with the keyboard. New rows are at the end until their first save. */
function Group({ group, statuses }: GroupProps) {
  const can = useCan()
  const { rows, add, move, saved, removed, setIsEdited, nameOf } = useStatusGroup(group, statuses)
  const { label, help } = statusGroup(group)
  return (
    <div className={classes['group']} role="group" aria-label={label}>
      <h3>{label}</h3>
      <p>{help}</p>
      <SortableList keys={rows.map(({ key }) => key)} noun="status" nameOf={nameOf} onMove={move}>
        <ul>
          {rows.map(({ key, status, lost }) => (
            <StatusRow
              key={key}
              rowKey={key}
              group={group}
              status={status}
              lost={lost}
              onSaved={(now) => saved(key, now)}
              onRemoved={() => removed(key, status)}
              onEdited={(edited) => status && setIsEdited(key, status, edited)}
            />
          ))}
        </ul>
      </SortableList>
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
