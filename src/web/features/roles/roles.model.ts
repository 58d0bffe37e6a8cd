import { formatDate, formatNumber } from '#contract/format.ts'
import { permissionLabel } from '#contract/permissions.ts'
import { defineView } from '#web/engines/model/model-view.ts'

export const roles = defineView({
  model: 'roles',
  title: ({ label }) => label,
  facts: ({ name, company, users, permissions, created_at }, { timeZone }) => [
    { label: 'Key', value: name },
    { label: 'Company', value: company?.name ?? 'All companies' },
    { label: 'Users', value: formatNumber(users) },
    { label: 'Permissions', value: permissions.map(permissionLabel).join(', ') },
    { label: 'Created', value: formatDate(created_at, timeZone) },
  ],
})
