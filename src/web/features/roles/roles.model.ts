import { formatDate, formatNumber, sentenceCase } from '#contract/format.ts'
import { permissionTexts } from '#contract/permission-labels.ts'
import { defineView } from '#web/engines/model/model-view.ts'

export const roles = defineView({
  model: 'roles',
  title: ({ label }) => label,
  facts: ({ company, users, permissions, created_at }, { timeZone }) => [
    { label: 'Company', value: company?.name ?? 'All companies' },
    { label: 'Users', value: formatNumber(users) },
    ...[...Map.groupBy(permissions.map(permissionTexts), ({ heading = 'Others' }) => heading)].map(([heading, texts]) => ({
      label: `Permissions: ${heading}`,
      value: sentenceCase(texts.map(({ label }) => label).join('; ')),
    })),
    { label: 'Created', value: formatDate(created_at, timeZone) },
  ],
})
