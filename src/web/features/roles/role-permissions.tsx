import { formatNumber, sentenceCase } from '#contract/format.ts'
import { permissionTexts } from '#contract/permission-labels.ts'
import { PERMISSION_NAMES } from '#contract/permissions.ts'
import { TitledSection } from '#web/ui/titled-section.tsx'
import classes from './role-permissions.module.css'

/** Every group of permissions with what the role allows and what it does not. Groups that are allowed in part are open. */
export function RolePermissions({ permissions }: { permissions: readonly string[] }) {
  const allowed = new Set(permissions)
  // A role can have names that are no longer permissions.
  const names = [...new Set([...PERMISSION_NAMES, ...permissions])].map((name) => ({ name, ...permissionTexts(name) }))
  const groups = Map.groupBy(names, ({ heading = 'Others' }) => heading)
  return (
    <TitledSection title="Permissions">
      {[...groups].map(([heading, all]) => {
        const given = all.filter(({ name }) => allowed.has(name))
        const missing = all.filter(({ name }) => !allowed.has(name))
        return (
          <details key={heading} className={classes['group']} open={given.length > 0 && missing.length > 0}>
            <summary>
              {heading} <span className={classes['count']}>{countText(given.length, all.length)}</span>
            </summary>
            {given.length > 0 && <Texts permissions={given} />}
            {missing.length > 0 && (
              <>
                {given.length > 0 && <p className={classes['note']}>Not allowed</p>}
                <Texts permissions={missing} isMissing />
              </>
            )}
          </details>
        )
      })}
    </TitledSection>
  )
}

function countText(given: number, all: number): string {
  if (given === 0) return `None of ${formatNumber(all)}`
  return given === all ? `All ${formatNumber(all)}` : `${formatNumber(given)} of ${formatNumber(all)}`
}

interface TextsProps {
  permissions: readonly { name: string; label: string }[]
  isMissing?: boolean
}

const Texts = ({ permissions, isMissing }: TextsProps) => (
  <ul className={classes['texts']} data-missing={isMissing}>
    {permissions.map(({ name, label }) => (
      <li key={name}>{sentenceCase(label)}</li>
    ))}
  </ul>
)
