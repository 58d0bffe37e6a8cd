import { makeAccount } from './accounts.ts'
import { makeFile } from './files.ts'
import { makeUser } from './people.ts'
import type { TestApp } from '#server/testing/app.ts'
import type { ImportRow } from '#contract/import-rows.ts'
import { columnsToConfirm, type Import } from '#contract/imports.ts'

export interface Desk {
  app: TestApp
  userId: string
  accountId: string
}

/** A broker with an account. */
export async function openDesk(app: TestApp): Promise<Desk> {
  const user = await makeUser(app.system, { role: 'broker' })
  const account = await makeAccount(app.system, { companyId: user.companyId, users: [user.id] })
  return { app, userId: user.id, accountId: account.id }
}

export const HEADER =
  'Loc #,Bldg #,Location Name,Street Address,City,ST,Zip,Construction,Year Built,Sq. Ft.,Bldg Value 2026,Contents,BI / Rents,TIV'
export const SOV = [
  'Acme Statement of Values,,,,,,,,,,,,,',
  HEADER,
  '1,1,Head Office,100 Main St,Fresno,CA,93721,Frame,1990,"10,000","$1,000,000",100000,-,1100000',
  '2,1,Mill,200 Oak Ave,Fresno,CA,93721,JM,c. 1975,20000,2000000,,50000,2050000',
  '3,1,Depot,300 Elm Rd,Grand Prairie,TX,75050,Stone,Unk,30000 sf,3000000,Included,,3000000',
  '4,1,No Street,,Fresno,CA,93721,Frame,1980,1000,400000,,,400000',
  'TOTAL,,,,,,,,,,6400000,100000,50000,6550000',
].join('\r\n')

/** Adds a file to the account, starts its import and waits for the preview. */
export async function begin(desk: Desk, content: string | Buffer, name = 'sov.csv'): Promise<Import> {
  const { app, accountId, userId } = desk
  const viewer = await app.viewer(userId)
  const file = await makeFile({ ...app.system, viewer }, accountId, {
    name,
    bytes: Buffer.from(content),
    contentType: 'text/csv',
    sov: true,
    category: 'sov',
  })
  const answer = await app.as(userId).post(`/api/v1/properties/import/${accountId}`, { source: { file_id: file.id } })
  if (answer.status !== 201) throw new Error(`The import was rejected: ${JSON.stringify(answer.body)}`)
  return settled(desk, answer.body.data.id)
}

/** Waits until the server no longer works on the import. */
export async function settled(desk: Desk, id: string): Promise<Import> {
  for (let round = 0; round < 600; round += 1) {
    const { body, status } = await desk.app.as(desk.userId).get(`/api/v1/properties/import/${id}`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    if (body.data.activity === null) return body.data
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('The import was not settled within 30 seconds')
}

/** Answers questions of an import and waits for the new preview. */
export const answering =
  (desk: Desk) =>
  async ({ id }: Pick<Import, 'id'>, constants: Readonly<Record<string, string>>): Promise<Import> => {
    const { status, body } = await put(desk, id, { constants })
    if (status !== 200) throw new Error(`The answer was rejected: ${JSON.stringify(body)}`)
    return settled(desk, id)
  }

export async function rowsOf({ app, userId }: Desk, id: string, query = ''): Promise<ImportRow[]> {
  return (await app.as(userId).get(`/api/v1/properties/import/${id}/rows?paginate=500${query}`)).body.data
}

export const put = async ({ app, userId }: Desk, id: string, patch: object) => app.as(userId).put(`/api/v1/properties/import/${id}`, patch)
/** Confirms the proposed columns, as the button in the browser does. */
export const commit = (
  { app, userId }: Desk,
  data: Pick<Import, 'id' | 'version'> & Partial<Pick<Import, 'columns'>>,
  removals: string[] | { all_except: string[]; also?: string[] } = [],
) =>
  app.as(userId).post(`/api/v1/properties/import/${data.id}/commit`, {
    version: data.version,
    removals,
    confirmed: columnsToConfirm({ columns: [], ...data }),
  })

export const register = ({ app, accountId }: Desk) =>
  app.system.db
    .selectFrom('account_properties')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('location_number')
    .orderBy('id')
    .execute()

/** A schedule with the columns of `SOV`. */
export const scheduleOf = (...rows: string[]) => [HEADER, ...rows].join('\n')
/** The next schedule after `SOV`: location 1 has another value, 3 is missing, 9 is new. */
export const RENEWAL = scheduleOf(
  '1,1,Head Office,100 MAIN STREET,Fresno,CA,93721,Frame,1990,10000,"1,600,000",,0,',
  '2,1,Mill,200 Oak Ave,Fresno,CA,93721,JM,1975,20000,2000000,,50000,',
  '9,1,New Place,900 New St,Fresno,CA,93721,Frame,2020,5000,500000,,,',
)

/** Imports `SOV`: the register has the locations 1, 2 and 3. */
export async function importFirst(desk: Desk): Promise<Import> {
  const data = await begin(desk, SOV)
  const { status } = await commit(desk, data)
  if (status !== 200) throw new Error(`The first import answered ${status}`)
  return data
}

export const propertyAt = async (desk: Desk, location: string): Promise<string> =>
  (await register(desk)).find(({ location_number }) => location_number === location)?.id ?? ''
