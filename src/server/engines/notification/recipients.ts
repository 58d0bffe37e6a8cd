import { sql } from 'kysely'
import { isMember, type Reader } from '#server/access/viewer.ts'

/** Users who are notified about an account, whether or not they still see it: `notify` checks that. */
interface Responsible {
  /** Who created the account. */
  owner: string | null
  /** Users of the broker's company who were named as users of the account. */
  brokers: string[]
  /** Users of other companies with `manage_simple_accounts` who were named as users of the account. */
  contacts: string[]
}

export async function responsibleFor(db: Reader, accountId: string): Promise<Responsible> {
  const { rows } = await sql<Responsible>`SELECT a.created_by AS owner,
      ARRAY(SELECT u.id FROM account_users x JOIN users u ON u.id = x.user_id
        WHERE x.account_id = a.id AND u.company_id = a.broker_company_id) AS brokers,
      ARRAY(SELECT u.id FROM account_users x JOIN users u ON u.id = x.user_id
        WHERE x.account_id = a.id AND u.company_id <> a.company_id AND u.id IN (${usersWith('manage_simple_accounts')})) AS contacts
    FROM accounts a WHERE a.id = ${accountId}`.execute(db)
  return rows[0] ?? { owner: null, brokers: [], contacts: [] }
}

const usersWith = (permission: string) => sql`SELECT ur.user_id FROM user_roles ur JOIN roles r ON r.id = ur.role_id
  WHERE r.deleted_at IS NULL AND ${permission} = ANY(r.permissions)`

/** All users who work on managed accounts for their owners. */
export async function providerStaff(db: Reader): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`SELECT DISTINCT x.user_id FROM (${usersWith('manage_simple_accounts')}) x`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/** Users who have access to the account themselves or by their company; not those who see every account of the installation. */
export async function usersOfAccount(db: Reader, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`SELECT u.id FROM account_access g JOIN users u ON g.principal_id IN (u.id, u.company_id)
    WHERE g.account_id = ${accountId} AND u.deleted_at IS NULL AND ${isMember} GROUP BY u.id`.execute(db)
  return rows.map(({ id }) => id)
}
