import { Button } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { isPropertyField, type Property } from '#contract/account-properties.ts'
import type { PropertyChange } from '#contract/property-history.ts'
import { propertyField } from '#contract/property-fields.ts'
import { currencyOf, formatPropertyValue, type PropertyValue } from '#contract/property-format.ts'
import { changedBy, isApiError } from '#web/data/errors.ts'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { Timeline } from '#web/engines/activity-list.tsx'
import { Loaded } from '#web/engines/loaded.tsx'
import { showError } from '#web/engines/show-error.ts'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { TitledSection } from '#web/ui/titled-section.tsx'
import { toast } from '#web/ui/toast.tsx'
import classes from './property.module.css'
import { changeSource } from './property-labels.ts'
import { confirmEdit, saveValue } from './save-cell.ts'

/** The changes of the values of a property, newest first, each with the offer to restore the former value. */
export function PropertyHistory({ property }: { property: Property }) {
  const can = useCan()
  const query = useInfiniteQuery({ ...queries.propertyHistory(property.id), enabled: can('view_account_activity') })
  if (!can('view_account_activity')) return null
  return (
    <TitledSection title="History">
      <Loaded query={query} skeleton={<SkeletonRows rows={4} label="Loading the history" />} failure="The history could not be loaded.">
        {({ pages }) => (
          <Timeline
            query={query}
            label="Changed values, newest first"
            empty="No value has been changed."
            lines={pages
              .flatMap(({ data }) => data)
              .map((change) => ({ id: change.id, at: change.at, content: <Change change={change} property={property} /> }))}
          />
        )}
      </Loaded>
    </TitledSection>
  )
}

function Change({ change, property }: { change: PropertyChange; property: Property }) {
  const { field, from, to, by, source, ref } = change
  const name = isPropertyField(field) ? field : undefined
  const text = (value: PropertyValue) =>
    (name === undefined ? String(value ?? '') : formatPropertyValue(name, value, currencyOf(property.values))) || 'empty'
  const label = name === undefined ? field.replace(/^custom\./, '') : propertyField(name).label
  return (
    <>
      <strong>{label}</strong>: {text(from)} → {text(to)}
      <span className={classes['origin']}>
        {by} · {changeSource(source, ref)}
      </span>
      {name !== undefined && (property.values[name] ?? null) !== from && <RestoreValue change={change} property={property} />}
    </>
  )
}

/** Saves the former value like an edit, with its checks and Undo. */
function RestoreValue({ change: { field, from }, property }: { change: PropertyChange; property: Property }) {
  const client = useQueryClient()
  const can = useCan()
  const { id, version, values } = property
  const restore = useMutation({
    mutationFn: async () => {
      if (!isPropertyField(field)) return
      const saved = await saveValue(client, id, version, field, from, 'restore')
      confirmEdit(client, id, saved, field, { from: String(values[field] ?? ''), to: from, currency: currencyOf(values) })
    },
    onError: (error) => {
      if (!isApiError(error) || error.kind !== 'conflict') return showError(error, true)
      toast.warning(`Not restored: ${changedBy(error)} has changed the property since.`)
      invalidateAfterWrite('account_properties', id)
    },
  })
  if (!can('update_account_properties') || !property.accessible_features.update) return null
  return (
    <Button variant="subtle" size="compact-xs" ml={-8} loading={restore.isPending} onClick={() => restore.mutate()}>
      Restore this value
    </Button>
  )
}
