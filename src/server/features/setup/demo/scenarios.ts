import type { Context, WriteContext } from '#server/engines/context.ts'
import { transact } from '#server/engines/transaction/transact.ts'
import { addForeignAccount, addManagedAccounts } from './accounts.ts'
import { addBusyAccount } from './busy-account.ts'
import { addTeam } from './companies.ts'
import { applyDates, createDemoContext, type DemoContext } from './demo-context.ts'
import { addPortfolio } from './portfolio.ts'
import { newPassword, saveSignIns } from './sign-ins.ts'

/** All companies, users and accounts. */
export async function createDemo(demo: DemoContext, adminEmail?: string): Promise<void> {
  const provider = await addTeam(demo, 'provider', adminEmail)
  const broker = await addTeam(demo, 'broker')
  const client = await addTeam(demo, 'client')
  const carrier = await addTeam(demo, 'carrier')
  const foreign = await addTeam(demo, 'foreign')
  await addPortfolio(demo, { brokers: [broker.lead, broker.second], carrierCompanyId: carrier.companyId })
  await addManagedAccounts(demo, { client: client.lead, provider: provider.second })
  await addForeignAccount(demo, foreign.lead)
  const access = { by: provider.second, to: [client.lead, client.second] } as const
  await addBusyAccount(demo, { broker: broker.lead, carrierCompanyId: carrier.companyId, access })
}

/** The scenarios of `npm run seed`, by name. */
export const SCENARIOS = {
  demo: (demo: DemoContext) => createDemo(demo),
  'empty-company': async (demo: DemoContext) => {
    await addTeam(demo, 'broker')
  },
  'busy-broker': async (demo: DemoContext) => {
    const { lead, second } = await addTeam(demo, 'broker')
    const { companyId: carrierCompanyId } = await addTeam(demo, 'carrier')
    await addPortfolio(demo, { brokers: [lead, second], carrierCompanyId })
    await addBusyAccount(demo, { broker: lead, carrierCompanyId })
  },
  managed: async (demo: DemoContext) => {
    const provider = await addTeam(demo, 'provider')
    const client = await addTeam(demo, 'client')
    await addManagedAccounts(demo, { client: client.lead, provider: provider.second })
  },
  foreign: async (demo: DemoContext) => addForeignAccount(demo, (await addTeam(demo, 'foreign')).lead),
} as const
export const isScenario = (name: string): name is keyof typeof SCENARIOS => Object.hasOwn(SCENARIOS, name)

/**
 * Creates a scenario in one transaction, unless `skip` returns true inside it; an interrupted run leaves nothing behind.
 * The sign-ins are saved before the commit, so that no users exist whose password is lost.
 * @returns whether the scenario was created.
 */
export async function runScenario(
  ctx: Context,
  scenario: (demo: DemoContext) => Promise<void>,
  skip: (tx: WriteContext) => Promise<boolean>,
): Promise<boolean> {
  const password = await newPassword(ctx)
  const created = await transact(ctx, async (tx) => {
    if (await skip(tx)) return undefined
    const demo = createDemoContext(tx, password.passwordHash)
    await scenario(demo)
    saveSignIns(tx, password, demo.signIns)
    return demo
  })
  if (created !== undefined) await applyDates(ctx, created)
  return created !== undefined
}
