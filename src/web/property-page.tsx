import { PropertyPanel } from './features/account-properties/property.panel.tsx'
import { PropertyReports } from './features/risk-control/property-reports.tsx'

/** Combines the panel of a property with what other features show of it. */
export function PropertyPage(params: { id: string; prop_id: string }) {
  return <PropertyPanel {...params} more={(property) => <PropertyReports key={property.id} property={property} />} />
}
