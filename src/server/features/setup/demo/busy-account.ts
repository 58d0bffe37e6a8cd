import type { DIVESTED_REASONS } from '#contract/property-vocabularies.ts'
import { divestProperties } from '#server/features/account-properties/divest.commands.ts'
import { createAccount, updateAccount } from '#server/features/accounts/accounts.record.ts'
import { setFavorites } from '#server/features/accounts/favorites.commands.ts'
import { addBusyDocuments } from './busy-documents.ts'
import { dayAgo, daysAgo, termFrom } from './days.ts'
import { oedRegister } from './oed-register.ts'
import { textPaper } from './papers.ts'
import { asPerson } from './people.ts'
import { remember, type Stage } from './stage.ts'
import { chooseStatus } from './statuses.ts'
import { storeDocument } from './store-document.ts'
import { storeRegister } from './store-register.ts'

interface Players {
  broker: string
  carrierCompanyId: string
  /** Who gives the others access; without one the account stays with its broker and carrier. */
  access?: { by: string; to: readonly [client: string, uploader: string] }
}

const IMPORTED_DAYS_AGO = 23

/** The account that has everything: 771 real locations, some sold, about forty documents, people of three companies. */
export async function addBusyAccount(stage: Stage, { broker, carrierCompanyId, access }: Players): Promise<string> {
  const tx = await asPerson(stage.tx, broker)
  const { id } = await createAccount(tx, {
    name: 'Pacific Crest Retail and Office Portfolio',
    type: 'standard',
    account_number: 'HV-2026-0771',
    broker_company_id: tx.viewer.kind === 'user' ? tx.viewer.companyId : null,
    carrier_company_id: carrierCompanyId,
    ...termFrom(62),
    website: 'https://pacificcrest.example',
    meta: [
      { label: 'Program', value: 'All risk, including earthquake and flood' },
      { label: 'Expiring limit', value: '$250,000,000' },
    ],
    show_vanity_by_default: false,
    send_new_files_notification: true,
  })
  remember(stage, 'accounts', id, 160, 2)
  if (access !== undefined) await updateAccount(await asPerson(stage.tx, access.by), id, { users: [...access.to] })
  const values = oedRegister(dayAgo(240, stage.now))
  const stored = await storeRegister(tx, id, values, 'SOV 2026-27 final.xlsx', daysAgo(IMPORTED_DAYS_AGO, stage.now))
  const register = stored.map((property, index) => ({ id: property.id, values: values[index] ?? {} }))
  await sell(stage, tx, register)
  await addBusyDocuments(stage, tx, id, register)
  if (access !== undefined) await sendInvoices(stage, id, access.to[1])
  await chooseStatus(tx, id, 'In Review')
  await setFavorites(tx, [id], true)
  return id
}

const SOLD: readonly (readonly [days: number, reason: keyof typeof DIVESTED_REASONS, note?: string])[] = [
  [45, 'sold', 'Closed in escrow; deed recorded.'],
  [52, 'sold'],
  [88, 'lease_ended', 'Lease not renewed.'],
  [120, 'closed'],
  [133, 'demolished', 'Site is being redeveloped.'],
]
const SOLD_EACH = 3

/** Smaller locations that left the portfolio during the year. */
async function sell(stage: Stage, tx: Stage['tx'], register: readonly { id: string }[]): Promise<void> {
  for (const [index, [days, divested_reason, divested_note]] of SOLD.entries()) {
    const from = 60 + index * 90
    const ids = register.slice(from, from + SOLD_EACH).map(({ id }) => id)
    await divestProperties(tx, ids, { divested_on: dayAgo(days, stage.now), divested_reason, ...(divested_note && { divested_note }) })
  }
}

/** What somebody who may only upload sees of the whole account. */
async function sendInvoices(stage: Stage, accountId: string, uploader: string): Promise<void> {
  const tx = await asPerson(stage.tx, uploader)
  for (const [name, days] of [
    ['Roof repair invoice.txt', 9],
    ['Alarm service invoice.txt', 5],
  ] as const) {
    const bytes = textPaper({
      title: name.replace('.txt', ''),
      category: 'other',
      date: dayAgo(days, stage.now),
      author: 'Toby Lindqvist',
      properties: [],
    })
    const id = await storeDocument(tx, accountId, { name, contentType: 'text/plain', bytes })
    remember(stage, 'files', id, days, days)
  }
}
