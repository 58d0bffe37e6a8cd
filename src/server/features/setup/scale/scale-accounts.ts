import { sql } from 'kysely'
import type { WriteContext } from '#server/engines/context.ts'
import { share, whole, WORDS } from './scale-words.ts'

interface People {
  usersPerCompany: number
  passwordHash: string
}

/** Brokers, and every fifth a client; user1@scale.example is the first of the first company. */
export async function addUsers(tx: WriteContext, { usersPerCompany, passwordHash }: People): Promise<void> {
  await sql`CREATE TEMPORARY TABLE scale_users ON COMMIT DROP AS
    SELECT uuidv7() AS id, c.id AS company_id, c.n AS company, k, (c.n * ${usersPerCompany}::int + k) AS n
      FROM scale_companies c, generate_series(0, ${usersPerCompany}::int - 1) k ORDER BY c.n, k`.execute(tx.db)
  await sql`INSERT INTO users (id, company_id, first_name, last_name, email, password_hash)
    SELECT u.id, u.company_id, p.first, p.last, 'user' || (u.n + 1) || '@scale.example', ${passwordHash}
      FROM scale_users u JOIN scale_people p ON p.n = (u.n * 25) % ${sql.lit(WORDS.people)}`.execute(tx.db)
  await sql`INSERT INTO user_roles (user_id, role_id)
    SELECT u.id, r.id FROM scale_users u JOIN roles r ON r.company_id IS NULL AND r.name = CASE WHEN u.k % 5 = 4 THEN 'client' ELSE 'broker' END`.execute(
    tx.db,
  )
}

/** Spread evenly over the companies; every third has another company as its carrier. */
export async function addAccounts(tx: WriteContext, count: number): Promise<void> {
  await sql`CREATE TEMPORARY TABLE scale_accounts ON COMMIT DROP AS
    SELECT g AS n, uuidv7() AS id, g % (SELECT count(*) FROM scale_companies)::int AS company FROM generate_series(0::bigint, ${count}::bigint - 1) g`.execute(
    tx.db,
  )
  await sql`INSERT INTO accounts (id, company_id, type, name, account_number, status_id, carrier_company_id, effective_date, expiration_date, created_by, created_at, updated_at)
    SELECT a.id, c.id, 'standard', w.name || ' ' || (a.n / ${sql.lit(WORDS.names)} + 1), 'SC-' || lpad((a.n + 1)::text, 6, '0'), s.id,
        CASE WHEN a.n % 3 = 0 THEN k.id END, d.day, d.day + 365, u.id, now() - (a.n % 400) * interval '1 day' - interval '2 days', now() - (a.n % 47) * interval '1 hour'
      FROM scale_accounts a
      JOIN scale_companies c ON c.n = a.company
      JOIN scale_companies k ON k.n = (a.company + 1) % (SELECT count(*) FROM scale_companies)
      JOIN scale_names w ON w.n = a.n % ${sql.lit(WORDS.names)}
      JOIN statuses s ON s.company_id = c.id AND s.model_type = 'account' AND s.position = ${whole('a.n', 11, 8)}
      JOIN scale_users u ON u.company = a.company AND u.k = 0
      CROSS JOIN LATERAL (SELECT date '2026-01-01' + ${whole('a.n', 12, 365)} AS day) d
      ORDER BY a.n`.execute(tx.db)
}

const CATEGORIES = ['sov', 'appraisal', 'risk_control', 'loss_run', 'photo', 'roof', 'fire_protection', 'other'] as const

/** Documents as the lists show them. Nothing is stored for them: opening one answers that it is not there. */
export async function addFiles(tx: WriteContext, accounts: number, count: number): Promise<void> {
  if (count === 0) return
  await sql`INSERT INTO account_files (account_id, storage_key, original_file_name, content_type, size, category, sov, private, created_by, created_at, updated_at)
    SELECT a.id, 'scale/' || f.n, initcap(replace(f.category, '_', ' ')) || ' ' || (f.n + 1) || '.pdf', 'application/pdf', 20000 + ${whole('f.n', 31, 900_000)},
        f.category, f.category = 'sov', ${share('f.n', 32)} < 0.03, u.id, f.made, f.made
      FROM (SELECT g AS n, (string_to_array(${sql.lit(CATEGORIES.join(','))}, ','))[g % ${sql.lit(CATEGORIES.length)} + 1] AS category,
              now() - (g % 300) * interval '1 day' AS made
            FROM generate_series(0::bigint, ${count}::bigint - 1) g) f
      JOIN scale_accounts a ON a.n = f.n % ${accounts}::bigint
      JOIN scale_users u ON u.company = a.company AND u.k = 0`.execute(tx.db)
}
