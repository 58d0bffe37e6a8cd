import type { DefaultRole } from '#contract/default-roles.ts'
import { daysAgo, type DemoContext } from './demo-context.ts'
import { addCompany, addUser } from '../users.ts'

/** Users with a description appear in the list of sign-ins. */
type Member = readonly [email: string, firstName: string, lastName: string, role: DefaultRole, who?: string]

const COMPANIES = {
  provider: { name: 'Northgate Submission Services', plan: 'Professional', timezone: 'America/New_York' },
  broker: { name: 'Harbor & Vine Brokerage', plan: 'Professional', timezone: 'America/New_York' },
  client: { name: 'Pacific Crest Properties', plan: 'Standard', timezone: 'America/Los_Angeles' },
  carrier: { name: 'Granite Peak Insurance', plan: 'Professional', timezone: 'America/Chicago' },
  /** A brokerage whose accounts the other companies must never see. */
  foreign: { name: 'Summit Ridge Insurance Brokers', plan: 'Standard', timezone: 'America/Chicago' },
} as const

const MEMBERS: Record<keyof typeof COMPANIES, readonly [lead: Member, second: Member, ...others: Member[]]> = {
  provider: [
    ['admin@plumbline.example', 'Avery', 'Stone', 'admin', 'administrator'],
    ['provider@plumbline.example', 'Priya', 'Raman', 'provider', 'provider staff'],
    ['marcus.bell@northgate.example', 'Marcus', 'Bell', 'provider'],
  ],
  broker: [
    ['broker@plumbline.example', 'Jordan', 'Blake', 'broker', 'broker'],
    ['casey.moreno@harborvine.example', 'Casey', 'Moreno', 'broker'],
    ['elena.ruiz@harborvine.example', 'Elena', 'Ruiz', 'broker'],
  ],
  client: [
    ['client@plumbline.example', 'Dana', 'Whitfield', 'client', 'client'],
    ['upload@plumbline.example', 'Toby', 'Lindqvist', 'upload_only', 'upload only'],
  ],
  carrier: [
    ['carrier@plumbline.example', 'Samuel', 'Okafor', 'carrier', 'carrier'],
    ['lena.fischer@granitepeak.example', 'Lena', 'Fischer', 'carrier'],
  ],
  foreign: [
    ['robin.hale@summitridge.example', 'Robin', 'Hale', 'broker', 'broker of another company'],
    ['iris.novak@summitridge.example', 'Iris', 'Novak', 'broker'],
  ],
}

/** User ids of the first two members. */
interface Team {
  companyId: string
  lead: string
  second: string
}

/** Creates a company of the demo with its users. `adminEmail` replaces the address of the administrator. */
export async function addTeam(demo: DemoContext, company: keyof typeof COMPANIES, adminEmail?: string): Promise<Team> {
  const { name, plan, timezone } = COMPANIES[company]
  const companyId = await addCompany(demo.tx, name, plan, timezone)
  demo.companies.push(companyId)
  const [lead, second, ...others] = MEMBERS[company]
  const team = {
    companyId,
    lead: await addMember(demo, companyId, lead, company === 'provider' ? adminEmail : undefined),
    second: await addMember(demo, companyId, second),
  }
  for (const member of others) await addMember(demo, companyId, member)
  return team
}

async function addMember(demo: DemoContext, companyId: string, member: Member, otherEmail?: string): Promise<string> {
  const [ownEmail, first_name, last_name, role, who] = member
  const { passwordHash } = demo
  const { id, email } = await addUser(demo.tx, { email: otherEmail ?? ownEmail, first_name, last_name, role, companyId, passwordHash })
  if (who !== undefined) demo.signIns.push({ email, who })
  else {
    const last_login_at = daysAgo(demo.random.whole(1, 40), demo.now)
    await demo.tx.db.updateTable('users').set({ last_login_at }).where('id', '=', id).execute()
  }
  return id
}
