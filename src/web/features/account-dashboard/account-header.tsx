import { Popover, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import type { Account } from '#contract/accounts.ts'
import { formatDate, formatDays, isoDateIn } from '#contract/format.ts'
import { DAY_MS } from '#contract/limits.ts'
import { useCan, useSession } from '#web/data/session.ts'
import { AccountStar, AccountStatus } from '#web/engines/account/account-controls.tsx'
import { DownloadsMenu } from '#web/engines/account/downloads-menu.tsx'
import { InHeadingBar } from '#web/ui/page-title.ts'
import { useNow } from '#web/ui/use-now.ts'
import classes from './account-dashboard.module.css'

/** The number of facts next to the button for the others, except on a phone. */
const FIRST_CELLS = 4

interface AccountHeaderProps {
  account: Account
  /** In one line, which leaves the room to a table. */
  compact: boolean
  /** Shares the account. */
  share: ReactNode
  downloadsOpen: boolean
}

/** The main facts of the account and what can be downloaded from it. Its star and its status are in the heading bar, which has no room for them on a phone. */
export function AccountHeader({ account, compact, share, downloadsOpen }: AccountHeaderProps) {
  const inBar = useMediaQuery(BAR_FROM, true, { getInitialValueInEffect: false })
  const cells = useHeaderCells(account)
  return (
    <section className={classes['header']} aria-label="Account">
      {inBar && (
        <InHeadingBar>
          <AccountStar account={account} />
          {compact && <span className={classes['summary']}>{summaryOf(cells)}</span>}
          <AccountStatus account={account} />
        </InHeadingBar>
      )}
      {!compact && <Cells cells={cells} isWide={inBar} />}
      <div className={classes['tools']}>
        {!inBar && <AccountStatus account={account} />}
        <div className={classes['buttons']}>
          {!inBar && <AccountStar account={account} />}
          {share}
          <DownloadsMenu key={String(downloadsOpen)} account={account} initiallyOpen={downloadsOpen} />
        </div>
      </div>
    </section>
  )
}

const BAR_FROM = '(min-width: 768px)'

type HeaderCell = ReturnType<typeof useHeaderCells>[number]

const SUMMARY = ['Account #', 'Managed By', 'Carrier', 'Effective Date']

/** "HV-2026-0771 · Granite Peak Insurance · effective Dec 1, 2026" */
const summaryOf = (cells: readonly HeaderCell[]): string =>
  SUMMARY.flatMap((name) => cells.find(({ label, value }) => label === name && value !== '–') ?? [])
    .map(({ label, value }) => (label === 'Effective Date' ? `effective ${value}` : value))
    .join(' · ')

/** The first facts in one line, the others on request. */
function Cells({ cells, isWide }: { cells: readonly HeaderCell[]; isWide: boolean }) {
  const first = isWide ? cells.slice(0, FIRST_CELLS) : cells.filter(({ onPhone }) => onPhone)
  const others = cells.filter((cell) => !first.includes(cell))
  return (
    <div className={classes['facts']}>
      <dl className={classes['cells']}>
        {first.map((cell) => (
          <Cell key={cell.label} cell={cell} />
        ))}
      </dl>
      {others.length > 0 && <Details cells={others} />}
    </div>
  )
}

const Cell = ({ cell: { label, value, note } }: { cell: HeaderCell }) => (
  <div className={classes['cell']}>
    <dt>{label}</dt>
    <dd title={value}>
      {value}
      {note !== undefined && <span className={classes['note']}> {note}</span>}
    </dd>
  </div>
)

function Details({ cells }: { cells: readonly HeaderCell[] }) {
  return (
    <Popover position="bottom-start" width="min(360px, calc(100vw - 32px))" trapFocus={false} shadow="md">
      <Popover.Target>
        <UnstyledButton className={classes['more'] ?? ''}>
          Details <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="Details">
        <dl className={classes['details']}>
          {cells.map((cell, index) => (
            <Cell key={`${cell.label} ${String(index)}`} cell={cell} />
          ))}
        </dl>
      </Popover.Dropdown>
    </Popover>
  )
}

interface PossibleCell {
  label: string
  value: string | null | undefined
  /** Muted, after the value. */
  note?: string
  /** Whether a phone shows it without the others. */
  onPhone?: boolean
}

/** Depends on the type of the account, and shows less to users of a share link. */
function useHeaderCells(account: Account) {
  const { auth_user: user } = useSession()
  const can = useCan()
  const full = !user.via_share_link
  const { account_number: number } = account
  const date = (value: string | null) => (value === null ? null : formatDate(value, user.company.timezone))
  const today = Date.parse(isoDateIn(new Date(useNow()), user.company.timezone))
  const { effective_date: effective, expiration_date: expiration } = account
  const cells: (false | PossibleCell)[] =
    account.type === 'standard'
      ? [
          full && { label: 'Account #', value: number, onPhone: true },
          can('view_account_broker') && { label: 'Broker', value: account.broker?.name },
          can('view_account_carrier') && { label: 'Carrier', value: account.carrier?.name },
          {
            label: 'Effective Date',
            value: date(effective),
            onPhone: true,
            ...(effective === null ? {} : { note: formatDays((Date.parse(effective) - today) / DAY_MS) }),
          },
          { label: 'Expiration Date', value: date(expiration) },
          ...account.meta,
          full && { label: 'Created At', value: date(account.created_at) },
        ]
      : [
          { label: 'Managed By', value: account.managed_by, onPhone: !full },
          { label: 'Company', value: account.company.name, onPhone: true },
          full && {
            ...(number ? { label: 'Account #', value: number } : { label: 'Last Updated On', value: date(account.updated_at) }),
            onPhone: true,
          },
          full && { label: 'Created On', value: date(account.created_at) },
        ]
  return cells.flatMap((cell) => (cell ? [{ ...cell, value: cell.value || '–' }] : []))
}
