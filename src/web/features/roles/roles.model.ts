import { formatNumber, sentenceCase } from '#contract/format.ts'
import { permissionTexts } from '#contract/permission-labels.ts'
import { PERMISSION_NAMES } from '#contract/permissions.ts'
import { defineView } from '#web/engines/model/model-view.ts'

const byHeading = (names: readonly string[]) => Map.groupBy(names.map(permissionTexts), ({ heading = 'Others' }) => heading)
const EXISTING = byHeading(PERMISSION_NAMES)

export const roles = defineView({
  model: 'roles',
  title: ({ label }) => label,
  facts: ({ company, users, permissions, created_at }, { date }) => [
    { label: 'Company', value: company?.name ?? 'All companies' },
    { label: 'Users', value: formatNumber(users) },
    ...[...byHeading(permissions)].map(([heading, texts]) => ({
      label: `Permissions: ${heading}`,
      value:
        texts.length === EXISTING.get(heading)?.length
          ? `All ${formatNumber(texts.length)}`
          : sentenceCase(texts.map(({ label }) => label).join('; ')),
    })),
    { label: 'Created', value: date(created_at) },
  ],
})
