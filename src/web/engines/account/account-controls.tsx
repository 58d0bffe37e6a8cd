import { Menu, UnstyledButton } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import { accountCalls, type Account } from '#contract/accounts.ts'
import type { Status } from '#contract/statuses.ts'
import { api } from '#web/data/client.ts'
import { queries } from '#web/data/queries.ts'
import { useFavorite } from '#web/data/favorite.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { FavoriteButton } from '#web/ui/favorite-button.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { toast } from '#web/ui/toast.tsx'
import { showError } from '../show-error.ts'
import classes from './account-controls.module.css'

/** The star of an account, for users who have lists of favorites. */
export function AccountStar({ account: { id, name, favorite: marked } }: { account: Account }) {
  const { auth_user: user } = useSession()
  const can = useCan()
  const favorite = useFavorite(showError)
  if (user.via_invite || user.via_share_link || !can('view_accounts_component')) return null
  return <FavoriteButton favorite={marked} of={name.text} onToggle={(next) => favorite.mutate({ id, favorite: next })} />
}

/** The status of an account, for users who see it. */
export const AccountStatus = ({ account }: { account: Account }) => useCan()('view_account_status') && <StatusChoice account={account} />

/**
 * The status with its own color at the left edge: a menu for users with permission to set it, else a plain label. The chosen
 * status is shown while it is being saved, and the previous one again when the save fails.
 */
function StatusChoice({ account: { id, type, status: saved, statuses, accessible_features: features } }: { account: Account }) {
  const can = useCan()
  const client = useQueryClient()
  const saving = useMutation({
    mutationFn: (next: Status) => api(accountCalls.setStatus, { body: { account_id: id, status_id: next.id } }),
    onMutate: () => ({ before: saved }),
    onSuccess: ({ message }, next, { before }) => {
      client.setQueryData(queries.account(id).queryKey, (account) => account && { ...account, status: next })
      toast.success(message, before === null ? {} : { action: { label: 'Undo', onClick: () => saving.mutate(before) } })
    },
    onError: (error) => showError(error),
    onSettled: () => invalidateAfterWrite('accounts', id, id),
  })
  const status = saving.isPending ? saving.variables : saved
  const name = status?.name ?? 'No status'
  const label = { className: classes['status'] ?? '', style: status ? { borderLeftColor: status.color } : {} }
  const maySet = can('update_account_status') && features.update_status && (type === 'standard' || can('manage_simple_accounts'))
  const text = (
    <span className={classes['name']} title={name}>
      {name}
    </span>
  )
  if (!maySet || statuses.length === 0) return <span {...label}>{text}</span>
  const choose = (chosenId: string) => {
    const chosen = statuses.find((one) => one.id === chosenId)
    if (chosen !== undefined && chosen.id !== status?.id) saving.mutate(chosen)
  }
  return (
    <Menu position="bottom-start" width={240} classNames={{ itemLabel: classes['choice'] ?? '' }}>
      <Menu.Target>
        <UnstyledButton {...label} aria-label={`Status: ${name}`}>
          {text}
          <IconChevronDown size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes['choices'] ?? ''}>
        <Menu.RadioGroup value={status?.id ?? null} onChange={choose}>
          {statuses.map((one) => (
            <Menu.RadioItem key={one.id} value={one.id} closeMenuOnClick>
              <StatusDot color={one.color} name={one.name} />
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
