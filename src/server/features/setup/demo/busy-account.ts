import type { DIVESTED_REASONS } from '#contract/property-vocabularies.ts'
import type { WriteContext } from '#server/engines/context.ts'
import { divestProperties } from '#server/features/account-properties/divest.commands.ts'
import { updateAccount } from '#server/features/accounts/accounts.record.ts'
import { setFavorites } from '#server/features/accounts/favorites.commands.ts'
import { addAccount, setStatusByName } from './accounts.ts'
import { addBusyDocuments } from './busy-documents.ts'
import { dateAgo, daysAgo, type DemoContext, termFrom, withPresentYears } from './demo-context.ts'
import { addDocument } from './documents.ts'
import { oedRegister } from './oed-register.ts'
import { addReports } from './reports.ts'
import { storeRegister } from './store-register.ts'
import { asUser } from '../users.ts'

interface Participants {
  broker: string
  carrierCompanyId: string
  /** The user who gives other users access. Without it only the broker and the carrier have access. */
  access?: { by: string; to: readonly [client: string, uploader: string] }
}

const IMPORTED_DAYS_AGO = 23
const UPDATED_DAYS_AGO = 2

/** The account with everything: 771 real locations, some sold, about forty documents, users of three companies. */
export async function addBusyAccount(demo: DemoContext, { broker, carrierCompanyId, access }: Participants): Promise<void> {
  const tx = await asUser(demo.tx, broker)
  const input = {
    name: 'Pacific Crest Retail and Office Portfolio',
    type: 'standard' as const,
    account_number: withPresentYears('HV-2026-0771', demo.now),
    broker_company_id: tx.viewer.companyId,
    carrier_company_id: carrierCompanyId,
    ...termFrom(12, demo.now),
    website: 'https://pacificcrest.example',
    meta: [
      { label: 'Program', value: 'All risk, including earthquake and flood' },
      { label: 'Expiring limit', value: '$250,000,000' },
    ],
    show_vanity_by_default: false,
    send_new_files_notification: true,
  }
  const id = await addAccount(demo, tx, input, [160, UPDATED_DAYS_AGO])
  if (access !== undefined) await updateAccount(await asUser(demo.tx, access.by), id, { users: [...access.to] })
  const values = oedRegister(dateAgo(240, demo.now))
  const register = await storeRegister(
    tx,
    id,
    values,
    withPresentYears('SOV 2026-27 final.xlsx', demo.now),
    daysAgo(IMPORTED_DAYS_AGO, demo.now),
  )
  await divestSold(demo, tx, register)
  await addBusyDocuments(demo, tx, id, register)
  await addReports(demo, tx, register)
  if (access !== undefined) await addInvoices(demo, id, access.to[1])
  await setStatusByName(tx, id, 'In Review')
  await setFavorites(tx, [id], true)
}

const SOLD: readonly (readonly [days: number, reason: keyof typeof DIVESTED_REASONS, note?: string])[] = [
  [4, 'sold', 'Closed in escrow; deed recorded.'],
  [7, 'sold'],
  [11, 'lease_ended', 'Lease not renewed.'],
  [15, 'closed'],
  [19, 'demolished', 'Site is being redeveloped.'],
]
const SOLD_EACH = 3

/** Smaller locations that left the portfolio after the import. */
async function divestSold(demo: DemoContext, tx: WriteContext, register: readonly { id: string }[]): Promise<void> {
  for (const [index, [days, divested_reason, divested_note]] of SOLD.entries()) {
    const from = 60 + index * 90
    const ids = register.slice(from, from + SOLD_EACH).map(({ id }) => id)
    await divestProperties(tx, ids, { divested_on: dateAgo(days, demo.now), divested_reason, ...(divested_note && { divested_note }) })
    const updated_at = daysAgo(UPDATED_DAYS_AGO, demo.now)
    await tx.db.updateTable('account_properties').set({ updated_at }).where('id', 'in', ids).execute()
  }
}

/** A user with the role "upload only" sees nothing else of the account. */
async function addInvoices(demo: DemoContext, accountId: string, uploader: string): Promise<void> {
  const tx = await asUser(demo.tx, uploader)
  for (const [name, days] of [
    ['Roof repair invoice.txt', 9],
    ['Alarm service invoice.txt', 5],
  ] as const) {
    const content = { category: 'other', date: dateAgo(days, demo.now), author: 'Toby Lindqvist' } as const
    await addDocument(demo, tx, accountId, { name, content }, days)
  }
}
