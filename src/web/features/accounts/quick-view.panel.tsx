import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ACCOUNT_TYPES, type Account } from '#contract/accounts.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { Facts } from '#web/engines/panel/facts.tsx'
import { PanelContent } from '#web/engines/panel/panel-states.tsx'
import { PanelFooter, RoutePanel, useOpenPanel } from '#web/engines/panel/route-panel.tsx'
import { paths } from '#web/paths.ts'
import { formatBytes, formatDate, formatMoney, formatNumber } from '#contract/format.ts'

const factsOf = (account: Account, zone: string) => [
  { label: 'Account #', value: account.account_number },
  { label: 'Company', value: account.company.name },
  { label: 'Type', value: ACCOUNT_TYPES[account.type] },
  { label: 'Status', value: account.status?.name ?? null },
  { label: 'Properties', value: `${formatNumber(account.properties)} active, ${formatNumber(account.divested_properties)} divested` },
  { label: 'Total insured value', value: formatMoney(account.tiv) },
  { label: 'Documents', value: `${formatNumber(account.files.total)} (${formatBytes(account.files.size.total)})` },
  { label: 'Effective date', value: account.effective_date === null ? null : formatDate(account.effective_date, zone) },
  { label: 'Created', value: formatDate(account.created_at, zone) },
  { label: 'Updated', value: formatDate(account.updated_at, zone) },
  ...account.meta.map(({ label, value }) => ({ label, value })),
]

/** The main facts of an account without leaving the dashboard. */
export function QuickViewPanel({ id }: { id: string }) {
  const query = useQuery(queries.account(id))
  const zone = useSession().auth_user.company.timezone
  const mayUpdate = useCan()('update_accounts')
  const open = useOpenPanel()
  return (
    <RoutePanel title={query.data?.name.text ?? 'Account'} size="small" closeTo={paths.dashboard()}>
      <PanelContent query={query}>
        {(account) => (
          <Stack gap="md" flex={1}>
            <Facts facts={factsOf(account, zone)} />
            <PanelFooter>
              {mayUpdate && account.accessible_features.update && (
                <Button variant="default" onClick={() => open(paths.quickViewEdit(id))}>
                  Edit
                </Button>
              )}
              <Button component={Link} to={paths.account(id)}>
                Open account
              </Button>
            </PanelFooter>
          </Stack>
        )}
      </PanelContent>
    </RoutePanel>
  )
}
