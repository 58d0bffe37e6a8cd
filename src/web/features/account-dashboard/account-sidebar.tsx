import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { Account } from '#contract/accounts.ts'
import { useCan } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'
import classes from './account-sidebar.module.css'
import { RecentActivity } from './recent-activity.tsx'
import { useDeleteAccount } from './use-delete-account.ts'

/** Beside the overview: the way out to the client's website, what happened, and what can be done to the account itself. */
export function AccountSidebar({ account }: { account: Account }) {
  const can = useCan()
  const remove = useDeleteAccount(account)
  return (
    <aside className={classes['sidebar']} aria-label="About this account">
      {account.website !== null && (
        <Button
          component="a"
          href={account.website}
          target="_blank"
          rel="noreferrer"
          variant="default"
          fullWidth
          rightSection={<IconExternalLink size={16} aria-hidden />}
        >
          View Account Website
        </Button>
      )}
      {can('view_account_activity') && <RecentActivity accountId={account.id} />}
      <div className={classes['buttons']}>
        {can('update_accounts') && account.accessible_features.update && (
          <Button
            component={Link}
            to={paths.editOverview(account.id)}
            search={true}
            variant="default"
            leftSection={<IconPencil size={16} aria-hidden />}
          >
            Edit Account
          </Button>
        )}
        {can('delete_accounts') && account.accessible_features.delete && (
          <Button
            variant="subtle"
            color="brick"
            leftSection={<IconTrash size={16} aria-hidden />}
            loading={remove.isPending}
            onClick={remove.ask}
          >
            Delete Account
          </Button>
        )}
      </div>
    </aside>
  )
}
