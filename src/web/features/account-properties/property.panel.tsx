import { Button, Group } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { documentName } from '#contract/account-files.ts'
import type { Property } from '#contract/account-properties.ts'
import { queries } from '#web/data/queries.ts'
import { useCan } from '#web/data/session.ts'
import { ActivitySection } from '#web/engines/activity-list.tsx'
import { FlagSection } from '#web/engines/flags/flag-section.tsx'
import { PanelContent } from '#web/engines/panel/panel-states.tsx'
import { RoutePanel, useOpenPanel } from '#web/engines/panel/route-panel.tsx'
import { showError } from '#web/engines/show-error.ts'
import { paths } from '#web/paths.ts'
import { useSearchParams } from '#web/search-params.ts'
import { TitledSection } from '#web/ui/titled-section.tsx'
import { DivestDialog, changeStatus } from './divest-dialog.tsx'
import { PropertyHistory } from './property-history.tsx'
import { PropertyFindings, PropertySections, PropertySummary } from './property-sections.tsx'
import classes from './property.module.css'

interface PropertyPanelProps {
  id: string
  prop_id: string
  /** What other features show of the property. */
  more?: (property: Property) => ReactNode
}

/** One property: its values and their sources, its discrepancies and its documents. */
export function PropertyPanel({ id: accountId, prop_id: propertyId, more }: PropertyPanelProps) {
  const query = useQuery(queries.property(propertyId))
  const can = useCan()
  useListOf(query.data)
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
            <PropertyFindings property={property} />
            <FlagSection
              key={`flags ${property.id}`}
              record={{ account_id: property.account_id, type: 'account_property', id: property.id }}
              notNow={property.status === 'divested' ? 'A divested property cannot be flagged.' : undefined}
            />
            <PropertySections property={property} />
            {more?.(property)}
            {can('view_account_files') && <PropertyDocuments key={property.id} property={property} />}
            <PropertyHistory key={`history ${property.id}`} property={property} />
            <ActivitySection model="account_properties" id={property.id} />
          </>
        )}
      </PanelContent>
    </RoutePanel>
  )
}

/** Opens the panel over the divested properties for one of them, unless the list below was chosen already. */
function useListOf(property: Property | undefined): void {
  const { filter__status: chosen, tab = 'properties' } = useSearchParams()
  const navigate = useNavigate()
  const opened = useRef<string>(undefined)
  useEffect(() => {
    if (property === undefined || opened.current === property.id) return
    opened.current = property.id
    if (property.status !== 'divested' || chosen !== undefined || tab !== 'properties') return
    void navigate({ to: '.', search: (current) => ({ ...current, filter__status: 'divested' }), replace: true, resetScroll: false })
  }, [property, chosen, tab, navigate])
}

function Actions({ property }: { property: Property }) {
  const open = useOpenPanel()
  const mayUpdate = useCan()('update_account_properties')
  const [divesting, setDivesting] = useState(false)
  const reactivate = useMutation({
    mutationFn: () => changeStatus(property, 'reactivate', {}),
    onError: (error) => showError(error),
  })
  const { accessible_features: features, status } = property
  return (
    <Group gap="xs" wrap="nowrap">
      {mayUpdate && features.divest && status === 'active' && (
        <Button variant="default" onClick={() => setDivesting(true)}>
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
      {divesting && <DivestDialog property={property} onClose={() => setDivesting(false)} />}
    </Group>
  )
}

const MAX_DOCUMENTS = '100'

function PropertyDocuments({ property: { id, account_id: accountId } }: { property: Property }) {
  const linked = { filter__account_id: accountId, filter__property_id: id, paginate: MAX_DOCUMENTS }
  const query = useQuery(queries.index('account_files', linked))
  const mayUpload = useCan()('upload_account_files')
  return (
    <TitledSection
      title="Documents"
      action={
        mayUpload && (
          <Button component={Link} to={paths.propertyUpload(accountId, id)} search={true} variant="default" size="xs">
            Upload documents
          </Button>
        )
      }
    >
      <PanelContent query={query}>
        {({ data: rows }) =>
          rows.length === 0 ? (
            <p className={classes['quiet']}>No documents are linked to this property.</p>
          ) : (
            <ul className={classes['files']}>
              {rows.map(({ file, size }) => (
                <li key={file.id}>
                  <Link to={paths.file(accountId, file.id)} search={true}>
                    {documentName(file)}
                  </Link>
                  <span className={classes['quiet']}>{size.text}</span>
                </li>
              ))}
            </ul>
          )
        }
      </PanelContent>
    </TitledSection>
  )
}
