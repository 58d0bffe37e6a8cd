import { UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useId, useState } from 'react'
import type { Account } from '#contract/accounts.ts'
import { formatDate, formatDays, isoDateIn } from '#contract/format.ts'
import { DAY_MS } from '#contract/limits.ts'
import { useFavorite } from '#web/data/favorite.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { showError } from '#web/engines/show-error.ts'
import { FavoriteButton } from '#web/ui/favorite-button.tsx'
import { InHeadingBar } from '#web/ui/page-title.ts'
import { useNow } from '#web/ui/use-now.ts'
import classes from './account-dashboard.module.css'
import { DownloadsMenu } from './downloads-menu.tsx'
import { StatusChoice } from './status-choice.tsx'

/** The number of cells until the user shows all, in a window and on a phone; the style sheet uses the same numbers. */
const FIRST_CELLS = { window: 4, phone: 2 } as const

interface AccountHeaderProps {
  account: Account
  /** In one line, which leaves the room to a table. */
  compact: boolean
  downloadsOpen: boolean
}

/** The main facts of the account and what can be downloaded from it. Its star and its status are in the heading bar, which has no room for them on a phone. */
export function AccountHeader({ account, compact, downloadsOpen }: AccountHeaderProps) {
  const inBar = useMediaQuery(BAR_FROM, true, { getInitialValueInEffect: false })
  const cells = useHeaderCells(account)
  return (
    <section className={classes['header']} aria-label="Account">
      {inBar && (
        <InHeadingBar>
          <Star account={account} />
          {compact && <span className={classes['summary']}>{summaryOf(cells)}</span>}
          <AccountStatus account={account} />
        </InHeadingBar>
      )}
      {!compact && <Cells cells={cells} />}
      <div className={classes['tools']}>
        {!inBar && <AccountStatus account={account} />}
        <div className={classes['buttons']}>
          {!inBar && <Star account={account} />}
          <DownloadsMenu account={account} initiallyOpen={downloadsOpen} />
        </div>
      </div>
    </section>
  )
}

const BAR_FROM = '(min-width: 768px)'

const AccountStatus = ({ account }: { account: Account }) => useCan()('view_account_status') && <StatusChoice account={account} />

function Star({ account }: { account: Account }) {
  const { auth_user: user } = useSession()
  const can = useCan()
  const favorite = useFavorite(showError)
  if (user.via_invite || user.via_share_link || !can('view_accounts_component')) return null
  return (
    <FavoriteButton
      favorite={account.favorite}
      of={account.name.text}
      onToggle={(next) => favorite.mutate({ id: account.id, favorite: next })}
    />
  )
}

/** The cells that a phone shows first, if the account has them. */
const PHONE_FIRST: ReadonlySet<string> = new Set(['Account #', 'Effective Date'])

const firstOnPhone = (cells: readonly HeaderCell[]) => {
  const [main, others] = [true, false].map((isMain) => cells.filter(({ label }) => PHONE_FIRST.has(label) === isMain))
  return new Set([...(main ?? []), ...(others ?? [])].slice(0, FIRST_CELLS.phone))
}

type HeaderCell = ReturnType<typeof useHeaderCells>[number]

const SUMMARY = ['Account #', 'Managed By', 'Carrier', 'Effective Date']

/** "HV-2026-0771 · Granite Peak Insurance · effective Dec 1, 2026" */
const summaryOf = (cells: readonly HeaderCell[]): string =>
  SUMMARY.flatMap((name) => cells.find(({ label, value }) => label === name && value !== '–') ?? [])
    .map(({ label, value }) => (label === 'Effective Date' ? `effective ${value.replace(/ \(.*/, '')}` : value))
    .join(' · ')

function Cells({ cells }: { cells: readonly HeaderCell[] }) {
  const [folded, setFolded] = useState(true)
  const id = useId()
  const first = firstOnPhone(cells)
  return (
    <>
      <dl className={classes['cells']} id={id} data-folded={folded || undefined}>
        {cells.map((cell, index) => (
          <div key={`${cell.label} ${String(index)}`} className={classes['cell']} data-phone-first={first.has(cell) || undefined}>
            <dt>{cell.label}</dt>
            <dd title={cell.value}>{cell.value}</dd>
          </div>
        ))}
      </dl>
      {cells.length > FIRST_CELLS.phone && (
        <UnstyledButton
          data-phone={cells.length <= FIRST_CELLS.window || undefined}
          className={classes['fold']}
          aria-expanded={!folded}
          aria-controls={id}
          onClick={() => setFolded(!folded)}
        >
          {folded ? 'Show all details' : 'Show fewer details'}
        </UnstyledButton>
      )}
    </>
  )
}

/** Depends on the type of the account, and shows less to users of a share link. */
function useHeaderCells(account: Account) {
  const { auth_user: user } = useSession()
  const can = useCan()
  const full = !user.via_share_link
  const { account_number: number } = account
  const date = (value: string | null) => (value === null ? null : formatDate(value, user.company.timezone))
  const today = Date.parse(isoDateIn(new Date(useNow()), user.company.timezone))
  const effective = (day: string | null) => (day === null ? null : `${date(day) ?? ''} (${formatDays((Date.parse(day) - today) / DAY_MS)})`)
  const cells =
    account.type === 'standard'
      ? [
          can('view_account_broker') && { label: 'Broker', value: account.broker?.name },
          can('view_account_carrier') && { label: 'Carrier', value: account.carrier?.name },
          full && { label: 'Account #', value: number },
          { label: 'Effective Date', value: effective(account.effective_date) },
          ...account.meta,
          full && { label: 'Created At', value: date(account.created_at) },
        ]
      : [
          { label: 'Managed By', value: account.managed_by },
          { label: 'Company', value: account.company.name },
          full && (number ? { label: 'Account #', value: number } : { label: 'Last Updated On', value: date(account.updated_at) }),
          full && { label: 'Created On', value: date(account.created_at) },
        ]
  return cells.flatMap((cell) => (cell ? [{ label: cell.label, value: cell.value || '–' }] : []))
}
