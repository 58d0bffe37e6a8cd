import type { DefaultRole } from '#contract/default-roles.ts'
import { daysAgo } from './days.ts'
import { addCompany, addPerson } from './people.ts'
import type { Stage } from './stage.ts'

interface Team {
  companyId: string
  /** User ids in the order of the list below. */
  people: readonly [lead: string, second: string]
}

interface Member {
  email: string
  first_name: string
  last_name: string
  role: DefaultRole
  /** Stands in the list of sign-ins, as this. */
  who?: string
}

async function hire(stage: Stage, companyId: string, member: Member): Promise<string> {
  const { who, ...person } = member
  const { id, email } = await addPerson(stage.tx, { ...person, companyId, passwordHash: stage.passwordHash })
  if (who !== undefined) stage.signIns.push({ email, who })
  else
    await stage.tx.db
      .updateTable('users')
      .set({ last_login_at: daysAgo(stage.random.whole(1, 40), stage.now) })
      .where('id', '=', id)
      .execute()
  return id
}

const OFFICE = 'plumbline.example'

export async function castProvider(stage: Stage, adminEmail = `admin@${OFFICE}`): Promise<Team> {
  const companyId = await addCompany(stage.tx, 'Northgate Submission Services', 'Professional')
  const admin = await hire(stage, companyId, {
    email: adminEmail,
    first_name: 'Avery',
    last_name: 'Stone',
    role: 'admin',
    who: 'administrator',
  })
  const provider = await hire(stage, companyId, {
    email: `provider@${OFFICE}`,
    first_name: 'Priya',
    last_name: 'Raman',
    role: 'provider',
    who: 'provider staff',
  })
  await hire(stage, companyId, { email: 'marcus.bell@northgate.example', first_name: 'Marcus', last_name: 'Bell', role: 'provider' })
  return { companyId, people: [admin, provider] }
}

export async function castBroker(stage: Stage): Promise<Team> {
  const companyId = await addCompany(stage.tx, 'Harbor & Vine Brokerage', 'Professional')
  const broker = await hire(stage, companyId, {
    email: `broker@${OFFICE}`,
    first_name: 'Jordan',
    last_name: 'Blake',
    role: 'broker',
    who: 'broker',
  })
  const colleague = await hire(stage, companyId, {
    email: 'casey.moreno@harborvine.example',
    first_name: 'Casey',
    last_name: 'Moreno',
    role: 'broker',
  })
  await hire(stage, companyId, { email: 'elena.ruiz@harborvine.example', first_name: 'Elena', last_name: 'Ruiz', role: 'broker' })
  return { companyId, people: [broker, colleague] }
}

export async function castClient(stage: Stage): Promise<Team> {
  const companyId = await addCompany(stage.tx, 'Pacific Crest Properties', 'Standard', 'America/Los_Angeles')
  const client = await hire(stage, companyId, {
    email: `client@${OFFICE}`,
    first_name: 'Dana',
    last_name: 'Whitfield',
    role: 'client',
    who: 'client',
  })
  const upload = await hire(stage, companyId, {
    email: `upload@${OFFICE}`,
    first_name: 'Toby',
    last_name: 'Lindqvist',
    role: 'upload_only',
    who: 'upload only',
  })
  return { companyId, people: [client, upload] }
}

export async function castCarrier(stage: Stage): Promise<Team> {
  const companyId = await addCompany(stage.tx, 'Granite Peak Insurance', 'Professional', 'America/Chicago')
  const carrier = await hire(stage, companyId, {
    email: `carrier@${OFFICE}`,
    first_name: 'Samuel',
    last_name: 'Okafor',
    role: 'carrier',
    who: 'carrier',
  })
  const second = await hire(stage, companyId, {
    email: 'lena.fischer@granitepeak.example',
    first_name: 'Lena',
    last_name: 'Fischer',
    role: 'carrier',
  })
  return { companyId, people: [carrier, second] }
}

/** A brokerage whose accounts nobody of the others may ever see. */
export async function castForeign(stage: Stage): Promise<Team> {
  const companyId = await addCompany(stage.tx, 'Summit Ridge Insurance Brokers', 'Standard', 'America/Chicago')
  const broker = await hire(stage, companyId, {
    email: 'robin.hale@summitridge.example',
    first_name: 'Robin',
    last_name: 'Hale',
    role: 'broker',
    who: 'broker of another company',
  })
  const second = await hire(stage, companyId, {
    email: 'iris.novak@summitridge.example',
    first_name: 'Iris',
    last_name: 'Novak',
    role: 'broker',
  })
  return { companyId, people: [broker, second] }
}
