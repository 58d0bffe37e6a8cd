import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { LANGUAGES, type Company } from '#contract/companies.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { Facts } from '#web/engines/panel/facts.tsx'
import { PanelContent } from '#web/engines/panel/panel-states.tsx'
import { RoutePanel } from '#web/engines/panel/route-panel.tsx'
import { useOpenPanel, usePanelParam } from '#web/engines/panel/use-record-panel.ts'
import { paths } from '#web/paths.ts'
import { formatDate, formatNumber } from '#contract/format.ts'

const LANGUAGE_LABELS: Readonly<Record<string, string>> = LANGUAGES

const factsOf = (company: Company, zone: string) => [
  { label: 'Language', value: LANGUAGE_LABELS[company.language] ?? company.language },
  { label: 'Time zone', value: company.timezone.replaceAll('_', ' ') },
  { label: 'Subscription', value: company.subscriptions.map(({ name }) => name).join(', ') },
  { label: 'Users', value: formatNumber(company.users) },
  { label: 'Accounts', value: formatNumber(company.accounts) },
  { label: 'Created', value: formatDate(company.created_at, zone) },
  { label: 'Updated', value: formatDate(company.updated_at, zone) },
]

export function CompanyPanel() {
  const id = usePanelParam('id')
  const query = useQuery(queries.company(id))
  const zone = useSession().auth_user.company.timezone
  const mayUpdate = useCan()('update_companies')
  const open = useOpenPanel()
  const { pathname } = useLocation()
  const overUsers = pathname.startsWith('/users/')
  const edit = mayUpdate && !overUsers && query.data?.accessible_features.update === true
  return (
    <RoutePanel
      title={query.data?.name ?? 'Company'}
      size="small"
      closeTo={overUsers ? paths.users() : paths.companies()}
      actions={
        edit && (
          <Button variant="default" onClick={() => open(paths.editCompany(id))}>
            Edit
          </Button>
        )
      }
    >
      <PanelContent query={query}>{(company) => <Facts facts={factsOf(company, zone)} />}</PanelContent>
    </RoutePanel>
  )
}
