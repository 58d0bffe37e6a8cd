import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ACCOUNT_TYPES, registerTotals, type Account } from '#contract/accounts.ts'
import { formatBytes, formatMoney, formatNumber } from '#contract/format.ts'
import { defineView } from '#web/engines/model/model-view.ts'
import { RecordPanel } from '#web/engines/model/record-panel.tsx'
import { PanelFooter } from '#web/engines/panel/route-panel.tsx'
import { paths } from '#web/paths.ts'

/** Nothing for users who cannot open the register. */
function registerFacts(account: Account) {
  const register = registerTotals(account)
  if (register === undefined) return []
  return [
    { label: 'Properties', value: `${formatNumber(register.active)} active, ${formatNumber(register.divested)} divested` },
    { label: 'Total insured value', value: register.known === null ? null : formatMoney(register.known, account.currency) },
  ]
}

const view = defineView({
  model: 'accounts',
  title: ({ name }) => name.text,
  facts: (account, { date }) => [
    { label: 'Account #', value: account.account_number },
    { label: 'Company', value: account.company.name },
    { label: 'Type', value: ACCOUNT_TYPES[account.type] },
    { label: 'Status', value: account.status?.name ?? null },
    ...registerFacts(account),
    { label: 'Documents', value: `${formatNumber(account.files.total)} (${formatBytes(account.files.size.total)})` },
    { label: 'Effective date', value: account.effective_date === null ? null : date(account.effective_date) },
    { label: 'Created', value: date(account.created_at) },
    { label: 'Updated', value: date(account.updated_at) },
    ...account.meta.map(({ label, value }) => ({ label, value })),
  ],
})

/** The main facts of an account without leaving the dashboard. */
export function QuickViewPanel({ id }: { id: string }) {
  const footer = (
    <PanelFooter>
      <Button component={Link} to={paths.account(id)}>
        Open account
      </Button>
    </PanelFooter>
  )
  return <RecordPanel view={view} id={id} closeTo={paths.dashboard()} editable footer={footer} />
}
