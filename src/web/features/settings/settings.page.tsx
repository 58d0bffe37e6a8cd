import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { languageLabel } from '#contract/companies.ts'
import { CHANNELS } from '#contract/events.ts'
import { formatDate, plural } from '#contract/format.ts'
import { MAINTENANCE_PERMISSION } from '#contract/maintenance.ts'
import { useChannel } from '#web/data/realtime.ts'
import { queries } from '#web/data/queries.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { Facts } from '#web/engines/panel/facts.tsx'
import { CompanyLogo } from '#web/engines/upload/company-logo.tsx'
import { focusInput } from '#web/engines/form/form-sections.tsx'
import { RecordForm } from '#web/engines/form/record-form.tsx'
import { showError } from '#web/engines/show-error.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { NoSubscription, useHasSubscription } from '#web/engines/account/no-subscription.tsx'
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx'
import { PageCard, PageCards } from '#web/ui/page-card.tsx'
import { usePageTitle } from '#web/ui/page-title.ts'
import { ChecksPanel } from './checks.panel.tsx'
import { MaintenancePanel } from './maintenance.panel.tsx'
import { SsoPanel } from './sso.panel.tsx'
import { StatusesPanel } from './statuses.panel.tsx'

/** The user's company, its subscription, its statuses, the rules of its reconciliation and its single sign-on. */
export function SettingsPage() {
  usePageTitle('Settings')
  useChannel(CHANNELS.datatable('accounts'))
  const can = useCan()
  return (
    <PageCards>
      {can('view_company_details') && <YourCompany />}
      <Subscription />
      {can('view_company_statuses') && <StatusesPanel />}
      {can('update_companies') && can('view_company_details') && <ChecksPanel />}
      {can('update_companies') && <SsoPanel />}
      {can(MAINTENANCE_PERMISSION) && <MaintenancePanel />}
    </PageCards>
  )
}

function YourCompany() {
  const canUpdate = useCan()('update_companies')
  // The form stays when the permission is taken away, and says so: something may be entered in it.
  const [editing, setEditing] = useState(canUpdate)
  if (canUpdate && !editing) setEditing(true)
  const { company } = useSession().auth_user
  return (
    <PageCard title="Your Company">
      {canUpdate && <CompanyLogo company={company} />}
      {editing ? <CompanyForm /> : <CompanyFacts />}
    </PageCard>
  )
}

function CompanyForm() {
  const { id } = useSession().auth_user.company
  const client = useQueryClient()
  const [saves, setSaves] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  const hasSubscription = useCan()('update_subscriptions')
  const reload = async () => {
    await client.refetchQueries({ queryKey: ['form', 'companies', id] })
    setSaves(saves + 1)
    // The form is mounted again, so the button that was pressed is gone.
    setTimeout(() => document.activeElement === document.body && focusInput(box.current))
  }
  return (
    <div ref={box}>
      <RecordForm
        key={saves}
        model="companies"
        id={id}
        saveLabel="Save Changes"
        skeletonRows={hasSubscription ? 17 : 11}
        onSaved={() => void reload()}
        onError={showError}
      />
    </div>
  )
}

function CompanyFacts() {
  const query = useQuery(queries.record('companies', useSession().auth_user.company.id))
  return (
    <Loaded query={query} skeleton={<SkeletonRows rows={3} label="Loading your company" />}>
      {({ name, language, timezone }) => (
        <Facts
          facts={[
            { label: 'Company Name', value: name },
            { label: 'Language', value: languageLabel(language) },
            { label: 'Time Zone', value: timezone.replaceAll('_', ' ') },
          ]}
        />
      )}
    </Loaded>
  )
}

function Subscription() {
  const { subscription, company } = useSession().auth_user
  const isActive = useHasSubscription()
  return (
    <PageCard title="Subscription">
      <NoSubscription />
      {isActive && (
        <Facts
          facts={[
            { label: 'Plan', value: subscription.name },
            { label: 'Since', value: subscription.created_at && formatDate(subscription.created_at, company.timezone) },
            { label: 'Term', value: subscription.term && plural(subscription.term, 'month') },
            { label: 'State', value: subscription.ends_at && `Active until ${formatDate(subscription.ends_at, company.timezone)}` },
          ]}
        />
      )}
    </PageCard>
  )
}
