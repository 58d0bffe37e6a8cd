import { Menu, UnstyledButton } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import type { Account } from '#contract/accounts.ts'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { useCan } from '#web/data/session.ts'
import classes from './status-choice.module.css'
import { useAccountStatus } from './use-account-status.ts'

const NO_STATUS = 'No status'

/** The status with its own colour at the left edge: a choice for those who may set it, else a plain label (decisions C49). */
export function StatusChoice({ account }: { account: Account }) {
  const can = useCan()
  const setting = useAccountStatus(account)
  const { status, statuses } = account
  const maySet =
    can('update_account_status') &&
    account.accessible_features.update_status &&
    (account.type === 'standard' || can('manage_simple_accounts'))
  const edge = status === null ? undefined : { borderLeftColor: status.color }
  if (!maySet || statuses.length === 0) {
    return (
      <span className={classes['status']} style={edge}>
        {status?.name ?? NO_STATUS}
      </span>
    )
  }
  const choose = (id: string) => {
    const chosen = statuses.find((one) => one.id === id)
    if (chosen !== undefined && chosen.id !== status?.id) setting.mutate(chosen)
  }
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <UnstyledButton className={classes['status'] ?? ''} style={edge} aria-label={`Status: ${status?.name ?? NO_STATUS}`}>
          {status?.name ?? NO_STATUS}
          <IconChevronDown size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes['choices'] ?? ''}>
        <Menu.RadioGroup value={status?.id ?? null} onChange={(id) => choose(id)}>
          {statuses.map((one) => (
            <Menu.RadioItem key={one.id} value={one.id}>
              <StatusDot color={one.color} name={one.name} />
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
