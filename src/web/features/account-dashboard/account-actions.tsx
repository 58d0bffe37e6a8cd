import { Button, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { ACCOUNT_TYPES, accountCalls, registerTotals, type Account } from '#contract/accounts.ts'
import { formatMoney, plural } from '#contract/format.ts'
import { importCalls } from '#contract/import-calls.ts'
import { FINISHED_IMPORT_STATES } from '#contract/imports.ts'
import { api } from '#web/data/client.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { invalidateAfterWrite } from '#web/data/staleness.ts'
import { showError } from '#web/engines/show-error.ts'
import { paths } from '#web/paths.ts'
import { confirmDialog } from '#web/ui/confirm.tsx'
import { DateText } from '#web/ui/date-text.tsx'
import { toast } from '#web/ui/toast.tsx'
import { useDownloadItems } from '#web/engines/account/account-downloads.ts'
import classes from './overview.module.css'

/** The type of the account, who created it, and the commands for the account itself. Guests see it only if there is something to do. */
export function AccountActions({ account }: { account: Account }) {
  const can = useCan()
  const { company, via_invite: isInvited, via_share_link: isByLink } = useSession().auth_user
  const { update, delete: remove } = account.accessible_features
  const mayUpdate = can('update_accounts') && update
  const mayDelete = can('delete_accounts') && remove
  const mayDownload = useDownloads(account)
  const isOwn = account.type === 'standard' && !isInvited && !isByLink
  if (!isOwn && account.website === null && !mayUpdate && !mayDelete && !mayDownload) return null
  return (
    <div className={classes['actions']} role="group" aria-label="About this account">
      <span>
        {ACCOUNT_TYPES[account.type]} account
        {account.created_by !== null && account.created_at !== null && (
          <>
            , created <DateText iso={account.created_at} zone={company.timezone} /> by {account.created_by.full_name}
          </>
        )}
      </span>
      {account.website !== null && (
        <Button
          component="a"
          href={account.website}
          target="_blank"
          rel="noreferrer"
          variant="default"
          rightSection={<IconExternalLink size={16} aria-hidden />}
        >
          View Account Website
        </Button>
      )}
      {mayDownload && <DownloadsButton accountId={account.id} />}
      {mayUpdate && (
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
      {mayDelete && <DeleteButton account={account} />}
    </div>
  )
}

/** Whether the overview leads to the downloads: on standard accounts, and not for guests of an invitation. */
function useDownloads({ type }: Account): boolean {
  const { via_invite: isInvited } = useSession().auth_user
  const items = useDownloadItems()
  return type === 'standard' && !isInvited && items.length > 0
}

/** Opens the menu of the header, which has an address of its own; again if the address is still open and the menu was closed. */
function DownloadsButton({ accountId }: { accountId: string }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const to = paths.accountExport(accountId)
  const open = async () => {
    if (pathname === to) await navigate({ to: paths.account(accountId), search: true, replace: true })
    await navigate({ to, search: true })
  }
  return (
    <Button variant="default" leftSection={<IconDownload size={16} aria-hidden />} onClick={() => void open()}>
      Downloads
    </Button>
  )
}

async function openImports(accountId: string): Promise<number> {
  const { data } = await api(importCalls.history, { params: { account_id: accountId } })
  return data.filter(({ state }) => !FINISHED_IMPORT_STATES.includes(state)).length
}

/** Nothing for users who cannot open the register. */
function registerText(account: Account): string[] {
  const register = registerTotals(account)
  if (register === undefined) return []
  const value =
    register.known === null ? 'total insured value unknown' : `${formatMoney(register.known, account.currency)} total insured value`
  return [plural(register.active, 'property', 'properties'), value]
}

/** Moves the account to the trash after confirmation and opens the list; Undo restores it. */
function DeleteButton({ account }: { account: Account }) {
  const { id, name, files } = account
  const canImport = useCan()('bulk_upload_account_properties')
  const navigate = useNavigate()
  const restore = async () => {
    const { message } = await api(accountCalls.restore, { body: { ids: [id] } })
    toast.success(message)
    invalidateAfterWrite('accounts', id)
  }
  const remove = useMutation({
    mutationFn: async () => {
      // The event of the deletion can arrive before the answer, and this page would report its own account as missing.
      await navigate({ to: paths.accounts() })
      return api(accountCalls.remove, { params: { id } })
    },
    onSuccess: ({ message }) => {
      toast.success(message, { action: { label: 'Undo', onClick: () => void restore().catch(showError) } })
      invalidateAfterWrite('accounts', null)
    },
    onError: showError,
  })
  const confirm = async () => {
    const open = canImport ? await openImports(id) : 0
    const confirmed = await confirmDialog({
      title: `Delete ${name.text}`,
      message: (
        <>
          <Text fw={600}>
            {[
              ...registerText(account),
              ...(files === null ? [] : [plural(files.total, 'document')]),
              ...(open > 0 ? [plural(open, 'open import')] : []),
            ].join(', ')}
          </Text>
          Are you sure you want to delete this record? This action cannot be undone.
        </>
      ),
      confirm: 'Delete',
    })
    if (confirmed) remove.mutate()
  }
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<IconTrash size={16} aria-hidden />}
      loading={remove.isPending}
      onClick={() => void confirm().catch(showError)}
    >
      Delete Account
    </Button>
  )
}
