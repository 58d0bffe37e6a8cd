import type { Line } from './figures.ts'
import { measureP95, type Side } from './search-p95.ts'
import { openBareServer, openStage, type Effort, type Stage } from './stage.ts'

const LIMITS = { atMostMs: 50, yardstick: 'bare server, PostgreSQL query by hand', mayFindNothing: false } as const
const DOCUMENTS = 20_000
const PAGES = 3
const WORDS_OF_A_PAGE = 300
/** Of each kind of search text. */
const TEXTS = 25

/** Words that surveys have on most pages; the other words of a page are from VOCABULARY words, the first of which are frequent. */
const USUAL = 'roof,building,insured,sprinkler,fire,value,property,report,construction,protection'
const VOCABULARY = 20_000

/**
 * Writes pages of generated text for up to DOCUMENTS documents of the seeded data, with a policy number, an amount and an address that few
 * pages have. They are written by SQL, because reading as many files measures the readers and not the search.
 */
async function writePages({ database }: Stage): Promise<number> {
  const { rows } = await database.query<{ n: number }>('SELECT count(DISTINCT file_id)::int AS n FROM document_pages')
  if ((rows[0]?.n ?? 0) > 0) return rows[0]?.n ?? 0
  // Building the index once takes a small part of the time of adding each page to it.
  const { rows: indexes } = await database.query<{ definition: string }>(
    `SELECT pg_get_indexdef('document_pages_words'::regclass) AS definition`,
  )
  await database.query('DROP INDEX document_pages_words')
  await database.query(
    `INSERT INTO document_pages (file_id, part, company_id, account_id, page, place, body)
      SELECT f.id, n, f.company_id, f.account_id, n, 'Page ' || n, 'Policy POL-' || (f.place % 9000 + 1000) || '-' || n || ' insures ' ||
          (f.place * 7 % 9000 + 100) || ' Main Street for $' || to_char(f.place * 1250, 'FM999,999,999') || '. ' ||
          (SELECT string_agg(CASE WHEN w % 12 = 0 THEN (string_to_array($1, ','))[1 + (hashtext(f.id::text || n || w) & 7)]
              ELSE 'term' || floor($2 * power((hashtext(n || f.id::text || w) & 65535) / 65536.0, 3))::int END, CASE WHEN w % 15 = 0 THEN '. ' ELSE ' ' END)
            FROM generate_series(1, $3::int) w)
        FROM (SELECT f.id, f.account_id, a.company_id, row_number() OVER (ORDER BY f.id) AS place
            FROM account_files f JOIN accounts a ON a.id = f.account_id WHERE f.deleted_at IS NULL ORDER BY f.id LIMIT $4) f,
          generate_series(1, $5::int) n`,
    [USUAL, VOCABULARY, WORDS_OF_A_PAGE, DOCUMENTS, PAGES],
  )
  await database.query(indexes[0]?.definition ?? '')
  await database.query(
    `UPDATE document_texts t SET state = 'done', failure = NULL FROM document_pages p WHERE p.file_id = t.file_id AND p.part = 1`,
  )
  await database.query('VACUUM (ANALYZE) document_pages, document_texts')
  return DOCUMENTS
}

/** What brokers type: words that are on most pages, some, few or no pages, several words, phrases, numbers and addresses. */
const searchTexts = (): string[] =>
  Array.from({ length: TEXTS }, (_, at) => {
    const word = (place: number) => `term${Math.floor((VOCABULARY * place) / TEXTS)}`
    return [
      USUAL.split(',')[at % 8] ?? '',
      word(at),
      `${word(at)} sprinkler`,
      `"${USUAL.split(',')[at % 8]} ${word(0)}"`,
      `POL-${1_000 + at * 37}-2`,
      `${(at * 1_250 + 1_250).toLocaleString('en-US')}`,
      `${at * 7 + 107} main st`,
      `${word(at).slice(0, 7)}`,
    ]
  }).flat()

/** Response time of the search in texts of documents at 16 connections. */
export async function measureFullText(effort: Effort): Promise<Line[]> {
  const stage = await openStage(effort.fullText)
  const bare = await openBareServer(stage)
  try {
    const documents = await writePages(stage)
    const texts = searchTexts()
    const text = (number: number) => encodeURIComponent(texts[number % texts.length] ?? '')
    const viewers = [
      { who: 'a broker', token: stage.brokerToken, scope: `company=${stage.companyId}` },
      { who: 'an administrator of all companies', token: stage.adminToken, scope: '' },
    ]
    const lines: Line[] = [{ what: 'documents whose text is searched', measured: `${documents}, ${PAGES} pages each` }]
    for (const { who, token, scope } of viewers) {
      const product: Side = (number) => ({
        path: `/api/v1/account_files/text-search?paginate=5&search=${text(number)}`,
        headers: { authorization: `Bearer ${token}` },
      })
      const floor: Side = (number) => ({ path: `/search/document_pages?${scope}&search=${text(number)}` })
      lines.push(...(await measureP95(`full-text search of ${who}`, [stage.product, product], [bare, floor], { ...LIMITS, effort })))
    }
    return lines
  } finally {
    await bare.stop()
    await stage.close()
  }
}
