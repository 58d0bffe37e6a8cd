// The yardstick of the lists: node:http, pg and JSON.stringify with the same queries on the same database.
// It has no sign-in, no permissions and no schema.
import { createServer } from 'node:http'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.env['FLOOR_DATABASE_URL'], max: 20 })

const PAGE = 15
const ACCOUNTS = `SELECT a.id, a.name, a.account_number, a.company_id, c.name AS company_name, a.type, s.name AS status_name, s.color AS status_color,
    a.effective_date, t.active_properties, t.tiv, t.files_disclosed, t.files_sov, f.user_id IS NOT NULL AS favorite, v.user_id IS NOT NULL AS opened,
    a.created_by, a.created_at, a.updated_at, a.deleted_at
  FROM accounts a JOIN companies c ON c.id = a.company_id JOIN account_totals t ON t.account_id = a.id
  LEFT JOIN statuses s ON s.id = a.status_id
  LEFT JOIN account_favorites f ON f.account_id = a.id AND f.user_id = $2
  LEFT JOIN account_views v ON v.account_id = a.id AND v.user_id = $2`
const FOUND_ACCOUNT = `a.id IN (SELECT record_id FROM search_entries WHERE model = 'accounts' AND company_id = $1 AND body LIKE $3 COLLATE "C")`
const PROPERTIES = `SELECT p.id, p.account_id, a.name AS account_name, p.location_number, p.building_number, p.property_name, p.address, p.city, p.state,
    p.postal_code, p.county, p.property_type, p.construction_class, p.year_built, p.stories, p.floor_area, p.sprinklered, p.building_value,
    p.contents_value, p.bi_value, p.tiv, p.quality_score, p.status, p.updated_at,
    (SELECT count(*) FROM account_file_properties l JOIN account_files f ON f.id = l.file_id AND f.deleted_at IS NULL WHERE l.property_id = p.id) AS documents,
    (SELECT count(*) FROM discrepancies d WHERE d.property_id = p.id AND d.status = 'open') AS findings
  FROM account_properties p JOIN accounts a ON a.id = p.account_id`
const FOUND_PROPERTY = `p.id IN (SELECT record_id FROM search_entries WHERE model = 'account_properties' AND company_id = $1 AND body LIKE $2 COLLATE "C")`

interface Question {
  count: string
  countValues: unknown[]
  page: string
  pageValues: unknown[]
}

function question(url: URL): Question {
  const company = url.searchParams.get('company')
  const user = url.searchParams.get('user')
  const pattern = `%${(url.searchParams.get('search') ?? '').toLowerCase()}%`
  if (url.pathname === '/properties') {
    const where = `p.deleted_at IS NULL AND a.deleted_at IS NULL AND ${FOUND_PROPERTY}`
    return {
      count: `SELECT count(*) FROM account_properties p JOIN accounts a ON a.id = p.account_id WHERE ${where}`,
      countValues: [company, pattern],
      page: `${PROPERTIES} WHERE ${where} ORDER BY p.updated_at DESC, p.id DESC LIMIT ${PAGE}`,
      pageValues: [company, pattern],
    }
  }
  const searching = url.searchParams.has('search')
  const where = `a.company_id = $1 AND a.deleted_at IS NULL`
  return {
    count: `SELECT count(*) FROM accounts a WHERE ${where} ${searching ? `AND ${FOUND_ACCOUNT.replace('$3', '$2')}` : ''}`,
    countValues: [company, ...(searching ? [pattern] : [])],
    page: `${ACCOUNTS} WHERE ${where} ${searching ? `AND ${FOUND_ACCOUNT}` : ''} ORDER BY a.updated_at DESC, a.id DESC LIMIT ${PAGE}`,
    pageValues: [company, user, ...(searching ? [pattern] : [])],
  }
}

const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://floor')
  if (url.pathname === '/') return response.end('ready')
  const { count, countValues, page, pageValues } = question(url)
  return void Promise.all([pool.query<{ count: string }>(count, countValues), pool.query(page, pageValues)]).then(
    ([{ rows: counted }, { rows }]) => {
      const body = JSON.stringify({ data: rows, meta: { total: Number(counted[0]?.count), current_page: 1, per_page: PAGE } })
      response.setHeader('content-type', 'application/json; charset=utf-8')
      response.setHeader('content-length', Buffer.byteLength(body))
      response.end(body)
    },
    (error: Error) => response.writeHead(500).end(error.message),
  )
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
