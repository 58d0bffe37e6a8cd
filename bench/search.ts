import type { Line } from './figures.ts'
import { explainGlobalSearch } from './explain.ts'
import { measureP95, type Side } from './search-p95.ts'
import { openBareServer, openStage, type Effort, type Stage } from './stage.ts'

const LIMITS = { atMostMs: 25, yardstick: 'bare server', mayFindNothing: true } as const
/** Of each kind of search text. */
const TEXTS = 25

/** The groups that a broker sees; an administrator sees all. */
const BROKER_GROUPS = ['accounts', 'account_properties', 'companies', 'users', 'roles', 'account_files'] as const
const GROUPS = [...BROKER_GROUPS, 'subscriptions'] as const

/** What users type: names, whole and partial addresses in other spellings, cities with states, ZIP codes and document names. */
async function searchTexts({ database, companyId }: Stage): Promise<string[]> {
  const sample = async (text: string, from: string, id: string) =>
    (
      await database.query<{ text: string }>(
        `SELECT ${text} AS text FROM ${from} WHERE a.company_id = $1 ORDER BY md5(${id}::text) LIMIT ${TEXTS}`,
        [companyId],
      )
    ).rows.map((row) => row.text)
  const properties = 'account_properties p JOIN accounts a ON a.id = p.account_id'
  const lists = await Promise.all([
    sample('a.name', 'accounts a', 'a.id'),
    sample('substr(a.name, 2, 5)', 'accounts a', 'a.account_number'),
    sample(`replace(replace(lower(p.address), ' street', ' st'), ' avenue', ' ave')`, properties, 'p.id'),
    sample(`replace(replace(lower(p.address), ' st', ' street'), ' n ', ' north ') || ' ' || p.city`, properties, 'p.address'),
    sample(`p.city || ', ' || p.state`, properties, 'p.id'),
    sample('p.postal_code', properties, 'p.id'),
    sample('f.original_file_name', 'account_files f JOIN accounts a ON a.id = f.account_id', 'f.id'),
  ])
  return Array.from({ length: TEXTS }, (_, at) => lists.map((list) => (list[at] ?? 'harbor').trim())).flat()
}

/** Response time of one group of global search at 16 connections, with each text searched in every group. */
export async function measureSearch(effort: Effort): Promise<Line[]> {
  const stage = await openStage(effort.search)
  const bare = await openBareServer(stage)
  try {
    const texts = await searchTexts(stage)
    const at = (number: number, groups: readonly string[]) =>
      [groups[number % groups.length] ?? '', encodeURIComponent(texts[Math.floor(number / groups.length) % texts.length] ?? '')] as const
    const viewers = [
      { who: 'a broker', token: stage.brokerToken, groups: BROKER_GROUPS, scope: `company=${stage.companyId}` },
      { who: 'an administrator of all companies', token: stage.adminToken, groups: GROUPS, scope: '' },
    ]
    const lines: Line[] = []
    for (const { who, token, groups, scope } of viewers) {
      const product: Side = (number) => {
        const [group, text] = at(number, groups)
        return { path: `/api/v1/${group}/search?paginate=5&search=${text}`, headers: { authorization: `Bearer ${token}` } }
      }
      const floor: Side = (number) => {
        const [group, text] = at(number, groups)
        return { path: `/search/${group}?${scope}&search=${text}` }
      }
      lines.push(
        ...(await measureP95(`global search of ${who}, one group`, [stage.product, product], [bare, floor], { ...LIMITS, effort })),
      )
    }
    return [...lines, ...(await explainGlobalSearch(stage, GROUPS, texts))]
  } finally {
    await bare.stop()
    await stage.close()
  }
}
