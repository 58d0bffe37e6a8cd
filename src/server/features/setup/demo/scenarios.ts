import { addBusyAccount } from './busy-account.ts'
import { castBroker, castCarrier, castClient, castForeign, castProvider } from './cast.ts'
import { addForeignAccount } from './foreign.ts'
import { addManagedAccounts } from './managed.ts'
import { addPortfolio } from './portfolio.ts'
import type { Stage } from './stage.ts'

/** Everybody and everything. */
export async function demo(stage: Stage, adminEmail?: string): Promise<void> {
  const {
    people: [, provider],
  } = await castProvider(stage, adminEmail)
  const {
    people: [broker, colleague],
  } = await castBroker(stage)
  const {
    people: [client, upload],
  } = await castClient(stage)
  const carrier = await castCarrier(stage)
  const foreign = await castForeign(stage)
  await addPortfolio(stage, { brokers: [broker, colleague], carrierCompanyId: carrier.companyId })
  await addManagedAccounts(stage, { client, provider })
  await addForeignAccount(stage, foreign.people[0])
  await addBusyAccount(stage, { broker, carrierCompanyId: carrier.companyId, access: { by: provider, to: [client, upload] } })
}

/** A brokerage and its people, with nothing in it yet. */
async function emptyCompany(stage: Stage): Promise<void> {
  await castBroker(stage)
}

async function busyBroker(stage: Stage): Promise<void> {
  const {
    people: [broker, colleague],
  } = await castBroker(stage)
  const { companyId } = await castCarrier(stage)
  await addPortfolio(stage, { brokers: [broker, colleague], carrierCompanyId: companyId })
  await addBusyAccount(stage, { broker, carrierCompanyId: companyId })
}

async function managed(stage: Stage): Promise<void> {
  const {
    people: [, provider],
  } = await castProvider(stage)
  const {
    people: [client],
  } = await castClient(stage)
  await addManagedAccounts(stage, { client, provider })
}

async function foreign(stage: Stage): Promise<void> {
  await addForeignAccount(stage, (await castForeign(stage)).people[0])
}

/** What `npm run seed` can make, by name. */
export const SCENARIOS = {
  demo: (stage: Stage) => demo(stage),
  'empty-company': emptyCompany,
  'busy-broker': busyBroker,
  managed,
  foreign,
} as const
export type ScenarioName = keyof typeof SCENARIOS
export const isScenario = (name: string): name is ScenarioName => name in SCENARIOS
