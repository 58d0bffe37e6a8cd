import type { Account } from '#contract/accounts.ts'
import type { PermissionName } from '#contract/permissions.ts'
import { formatDate } from '#contract/format.ts'

export interface HeadmastCell {
  label: string
  value: string
}

interface Looking {
  can: (name: PermissionName) => boolean
  zone: string
  viaShareLink: boolean
}

const NOT_STATED = '–'

const cell = (label: string, value: string | null | undefined): HeadmastCell => ({
  label,
  value: value === null || value === undefined || value === '' ? NOT_STATED : value,
})
const when = (condition: boolean, ...cells: HeadmastCell[]): HeadmastCell[] => (condition ? cells : [])

/** The facts at the head of an account; which ones depends on its type and on who looks (S1 2.5, decisions C50). */
export function headmastCells(account: Account, looking: Looking): HeadmastCell[] {
  return account.type === 'standard' ? standardCells(account, looking) : managedCells(account, looking)
}

function standardCells(account: Account, { can, zone, viaShareLink }: Looking): HeadmastCell[] {
  return [
    ...when(can('view_account_broker'), cell('Broker', account.broker?.name)),
    ...when(can('view_account_carrier'), cell('Carrier', account.carrier?.name)),
    ...when(!viaShareLink, cell('Account #', account.account_number)),
    cell('Effective Date', account.effective_date === null ? null : formatDate(account.effective_date, zone)),
    ...account.meta.map(({ label, value }) => cell(label, value)),
    ...when(!viaShareLink, cell('Created At', formatDate(account.created_at, zone))),
  ]
}

function managedCells(account: Account, { zone, viaShareLink }: Looking): HeadmastCell[] {
  const numbered = account.account_number !== null && account.account_number !== ''
  return [
    cell('Managed By', account.managed_by),
    cell('Company', account.company.name),
    ...when(numbered && !viaShareLink, cell('Account #', account.account_number)),
    ...when(!numbered && !viaShareLink, cell('Last Updated On', formatDate(account.updated_at, zone))),
    ...when(!viaShareLink, cell('Created On', formatDate(account.created_at, zone))),
  ]
}
