import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Property } from '#contract/account-properties.ts'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { PanelContent } from '#web/engines/panel/panel-states.tsx'
import { RoutePanel, useOpenPanel } from '#web/engines/panel/route-panel.tsx'
import { paths } from '#web/paths.ts'
import { DivestDialog } from './divest-dialog.tsx'
import { PropertyDocuments } from './property-documents.tsx'
import { PropertyFindings } from './property-findings.tsx'
import { PropertySections } from './property-sections.tsx'
import { PropertySummary } from './property-summary.tsx'
import { useReactivate } from './use-property-status.ts'

function Actions({ property }: { property: Property }) {
  const open = useOpenPanel()
  const mayUpdate = useCan()('update_account_properties')
  const [asking, setAsking] = useState(false)
  const reactivate = useReactivate(property)
  const { accessible_features: features, status } = property
  return (
    <Group gap="xs" wrap="nowrap">
      {mayUpdate && features.divest && status === 'active' && (
        <Button variant="default" onClick={() => setAsking(true)}>
          Divest
        </Button>
      )}
      {mayUpdate && features.update && status === 'divested' && (
        <Button variant="default" loading={reactivate.isPending} onClick={() => reactivate.mutate()}>
          Reactivate
        </Button>
      )}
      {mayUpdate && features.update && (
        <Button variant="default" onClick={() => open(paths.editProperty(property.account_id, property.id))}>
          Edit
        </Button>
      )}
      {asking && <DivestDialog property={property} onClose={() => setAsking(false)} />}
    </Group>
  )
}

/** One property: what is known, where each value comes from, what is wrong and which documents belong to it. */
export function PropertyPanel({ id: accountId, prop_id: propertyId }: { id: string; prop_id: string }) {
  const query = useQuery(queries.property(propertyId))
  const can = useCan()
  const name = query.data?.values['property_name']
  return (
    <RoutePanel
      title={typeof name === 'string' && name !== '' ? name : (query.data?.full_address ?? 'Property')}
      closeTo={paths.account(accountId)}
      actions={query.data && <Actions property={query.data} />}
    >
      <PanelContent query={query}>
        {(property) => (
          <>
            <PropertySummary property={property} />
            <PropertyFindings findings={property.findings} />
            <PropertySections property={property} />
            {can('view_account_files') && <PropertyDocuments property={property} />}
          </>
        )}
      </PanelContent>
    </RoutePanel>
  )
}
