// The yardstick of the lists and accounts: node:http, pg and JSON.stringify with plain SQL written by hand for each page and user, two
// prepared statements for a page. It has no sign-in, no permissions, no history and no schema.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['FLOOR_DATABASE_URL'], max: 20 })

const PAGE = 15
/** Without the triggers that maintain the product's totals, access and search. */
const CREATED = 'bench_accounts'
await pool.query(`DROP TABLE IF EXISTS ${CREATED}`)
await pool.query(`CREATE TABLE ${CREATED} (LIKE accounts INCLUDING ALL)`)

const ACCOUNTS = `SELECT a.id, a.name, a.account_number, c.name AS company_name, a.type, s.name AS status_name, s.color AS status_color,
    a.effective_date, t.active_properties, t.tiv, t.files_disclosed + t.files_sov AS documents, f.user_id IS NOT NULL AS favorite,
    v.user_id IS NOT NULL AS opened, a.created_at, a.updated_at
  FROM accounts a JOIN companies c ON c.id = a.company_id JOIN account_totals t ON t.account_id = a.id
  LEFT JOIN statuses s ON s.id = a.status_id
  LEFT JOIN account_favorites f ON f.account_id = a.id AND f.user_id = $1
  LEFT JOIN record_views v ON v.record_id = a.id AND v.user_id = $1`
const NEWEST_ACCOUNTS = `ORDER BY a.updated_at DESC, a.id DESC LIMIT ${PAGE}`
const PROPERTIES = `FROM account_properties p JOIN accounts a ON a.id = p.account_id
  WHERE a.company_id = $1 AND a.deleted_at IS NULL AND p.deleted_at IS NULL AND p.address ILIKE $2`
const PROPERTY_COLUMNS = `p.id, p.account_id, a.name AS account_name, p.location_number, p.building_number, p.property_name, p.address, p.city,
  p.state, p.postal_code, p.county, p.property_type, p.construction_class, p.year_built, p.stories, p.floor_area, p.sprinklered,
  p.building_value, p.contents_value, p.bi_value, p.tiv, p.quality_score, p.status, p.updated_at`
const OF_COMPANY = 'a.company_id = $2 AND a.deleted_at IS NULL'
const FOUND = `${OF_COMPANY} AND (a.name ILIKE $3 OR a.account_number ILIKE $3)`

const STATEMENTS = {
  page: `${ACCOUNTS} WHERE ${OF_COMPANY} ${NEWEST_ACCOUNTS}`,
  count: `SELECT count(*) FROM accounts WHERE company_id = $1 AND deleted_at IS NULL`,
  pageOfAll: `${ACCOUNTS} WHERE a.deleted_at IS NULL ${NEWEST_ACCOUNTS}`,
  countOfAll: `SELECT count(*) FROM accounts WHERE deleted_at IS NULL`,
  found: `${ACCOUNTS} WHERE ${FOUND} ${NEWEST_ACCOUNTS}`,
  countFound: `SELECT count(*) FROM accounts WHERE company_id = $1 AND deleted_at IS NULL AND (name ILIKE $2 OR account_number ILIKE $2)`,
  properties: `SELECT ${PROPERTY_COLUMNS} ${PROPERTIES} ORDER BY p.updated_at DESC, p.id DESC LIMIT ${PAGE}`,
  countProperties: `SELECT count(*) ${PROPERTIES}`,
  account: `SELECT a.*, c.name AS company_name, t.active_properties, t.divested_properties, t.tiv, t.files_disclosed, t.files_sov,
      t.bytes_disclosed, t.bytes_sov, f.user_id IS NOT NULL AS favorite, u.full_name AS creator_name, u.email AS creator_email
    FROM accounts a JOIN companies c ON c.id = a.company_id JOIN account_totals t ON t.account_id = a.id
    LEFT JOIN account_favorites f ON f.account_id = a.id AND f.user_id = $1
    LEFT JOIN users u ON u.id = a.created_by
    WHERE a.company_id = $2 AND a.id = $3`,
  statuses: `SELECT id, name, color, state FROM statuses WHERE company_id = $1 AND model_type = 'account' ORDER BY position`,
  create: `INSERT INTO ${CREATED} (company_id, created_by, name, type) VALUES ($1, $2, $3, 'standard') RETURNING *`,
}

/** Global search by hand: the text anywhere in the columns that the product searches, newest first. */
const SEARCHES: Readonly<Record<string, string>> = {
  accounts: `SELECT a.id, a.name, c.name || ' · ' || s.name AS detail FROM accounts a JOIN companies c ON c.id = a.company_id
    LEFT JOIN statuses s ON s.id = a.status_id WHERE a.deleted_at IS NULL AND ($1::uuid IS NULL OR a.company_id = $1)
    AND (a.name ILIKE $2 OR a.account_number ILIKE $2 OR a.broker_name ILIKE $2 OR a.carrier_name ILIKE $2) ORDER BY a.updated_at DESC LIMIT 5`,
  account_properties: `SELECT p.id, p.account_id, p.address AS name, concat_ws(', ', p.city, p.state, a.name) AS detail
    FROM account_properties p JOIN accounts a ON a.id = p.account_id
    WHERE p.deleted_at IS NULL AND a.deleted_at IS NULL AND ($1::uuid IS NULL OR a.company_id = $1)
    AND concat_ws(' ', p.location_number, p.property_name, p.address, p.city, p.state, p.postal_code) ILIKE $2 ORDER BY p.updated_at DESC LIMIT 5`,
  companies: `SELECT id, name FROM companies WHERE deleted_at IS NULL AND ($1::uuid IS NULL OR id = $1) AND name ILIKE $2 ORDER BY name LIMIT 5`,
  users: `SELECT u.id, u.full_name AS name, u.email::text || ' · ' || c.name AS detail FROM users u JOIN companies c ON c.id = u.company_id
    WHERE u.deleted_at IS NULL AND ($1::uuid IS NULL OR u.company_id = $1) AND (u.full_name ILIKE $2 OR u.email::text ILIKE $2) ORDER BY u.last_name LIMIT 5`,
  subscriptions: `SELECT id, name, price FROM subscriptions WHERE deleted_at IS NULL AND $1::uuid IS NULL AND name ILIKE $2 ORDER BY name LIMIT 5`,
  roles: `SELECT id, label AS name FROM roles WHERE deleted_at IS NULL AND ($1::uuid IS NULL OR company_id IS NULL OR company_id = $1)
    AND label ILIKE $2 ORDER BY label LIMIT 5`,
  account_files: `SELECT f.id, f.account_id, coalesce(f.vanity_name, f.original_file_name) AS name, f.category || ' · ' || a.name AS detail
    FROM account_files f JOIN accounts a ON a.id = f.account_id
    WHERE f.deleted_at IS NULL AND a.deleted_at IS NULL AND ($1::uuid IS NULL OR a.company_id = $1)
    AND (f.vanity_name ILIKE $2 OR f.original_file_name ILIKE $2) ORDER BY f.created_at DESC LIMIT 5`,
  document_pages: `SELECT h.*, ts_headline('simple', p.body, websearch_to_tsquery('simple', btrim($2, '%'))) AS sentence FROM (
      SELECT DISTINCT ON (f.id) f.id, f.account_id, coalesce(f.vanity_name, f.original_file_name) AS name, a.name AS account, p.part
        FROM document_pages p JOIN account_files f ON f.id = p.file_id JOIN accounts a ON a.id = f.account_id
        WHERE p.words @@ websearch_to_tsquery('simple', btrim($2, '%')) AND f.deleted_at IS NULL AND a.deleted_at IS NULL
          AND ($1::uuid IS NULL OR p.company_id = $1) ORDER BY f.id DESC, p.part LIMIT 5) h
    JOIN document_pages p ON p.file_id = h.id AND p.part = h.part ORDER BY h.id DESC`,
}

const run = async (name: keyof typeof STATEMENTS, ...values: unknown[]) =>
  (await pool.query<Record<string, unknown>>({ name, text: STATEMENTS[name], values })).rows

async function answer({ pathname, searchParams }: URL, body: string): Promise<unknown> {
  const [company, user, search] = ['company', 'user', 'search'].map((name) => searchParams.get(name))
  const page = async (rows: Promise<unknown[]>, counted: Promise<Record<string, unknown>[]>) => {
    const [data, [total]] = await Promise.all([rows, counted])
    return { data, meta: { total: Number(total?.['count']), current_page: 1, per_page: PAGE } }
  }
  const pattern = `%${search}%`
  if (body !== '') return { data: (await run('create', company, user, (JSON.parse(body) as { name: string }).name))[0] } // sent by the benchmark
  if (pathname === '/properties') return page(run('properties', company, pattern), run('countProperties', company, pattern))
  const [, kind, id] = pathname.split('/')
  if (kind === 'search') {
    const { rows } = await pool.query({
      name: pathname,
      text: SEARCHES[id ?? ''] ?? '',
      values: [company === '' ? null : company, pattern],
    })
    return { data: rows }
  }
  if (id !== undefined) {
    const [[account], statuses] = await Promise.all([run('account', user, company, id), run('statuses', company)])
    return { data: { ...account, statuses } }
  }
  if (company === null) return page(run('pageOfAll', user), run('countOfAll'))
  if (search !== null) return page(run('found', user, company, pattern), run('countFound', company, pattern))
  return page(run('page', user, company), run('count', company))
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://floor')
  if (url.pathname === '/') return response.end('ready')
  return void (request.method === 'POST' ? text(request) : Promise.resolve(''))
    .then((body) => answer(url, body))
    .then(
      (answered) => {
        const body = JSON.stringify(answered)
        response.setHeader('content-type', 'application/json; charset=utf-8')
        response.setHeader('content-length', Buffer.byteLength(body))
        response.end(body)
      },
      (error: Error) => response.writeHead(500).end(error.message),
    )
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
