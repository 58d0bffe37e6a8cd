import { accountCalls } from '#contract/accounts.ts'
import { perSecond, ratioFigure, type Figure, type Line } from './figures.ts'
import type { Request } from './load.ts'
import { race } from './race.ts'
import { openBareServer, openStage, type Effort, type Stage } from './stage.ts'

const OPEN_AT_LEAST = 0.5
const CREATE_AT_LEAST = 0.2
const NAME = 'Bench account'

/** Throughput of opening and creating accounts of one company at 16 connections, compared with the bare server. */
export async function measureAccounts(effort: Effort): Promise<Line[]> {
  const stage = await openStage(effort.lists)
  const bare = await openBareServer(stage)
  const scope = `company=${stage.companyId}&user=${stage.brokerId}`
  const headers = { authorization: `Bearer ${stage.brokerToken}` }
  const measure = async (
    what: string,
    atLeast: number,
    product: (n: number) => Request,
    floor: (n: number) => Request,
  ): Promise<Figure> => {
    const rounds = await race({ product: [stage.product, product], bare: [bare, floor] }, effort)
    return ratioFigure({ what, rounds, unit: perSecond, yardstick: 'bare server', atLeast })
  }
  try {
    const { ids, etags } = await openedAccounts(stage, headers)
    const at = (values: string[], n: number) => values[n % values.length] ?? ''
    const bareOpen = (n: number) => ({ path: `/accounts/${at(ids, n)}?${scope}` })
    const open = (n: number) => ({ path: `/api/v1/accounts/${at(ids, n)}`, headers })
    const openAgain = (n: number) => ({ ...open(n), headers: { ...headers, 'if-none-match': at(etags, n) } })
    const body = (n: number) => ({ name: `${NAME} ${n}`, type: 'standard' })
    return [
      await measure('open an account: new', OPEN_AT_LEAST, open, bareOpen),
      await measure('open an account: not modified', OPEN_AT_LEAST, openAgain, bareOpen),
      await measure(
        'create an account',
        CREATE_AT_LEAST,
        (n) => ({ path: '/api/v1/accounts', headers, body: body(n) }),
        (n) => ({ path: `/accounts?${scope}`, body: body(n) }),
      ),
    ]
  } finally {
    await bare.stop()
    await stage.database.query('DELETE FROM accounts WHERE name LIKE $1', [`${NAME} %`])
    await stage.close()
  }
}

/** The ETag is empty where the server answers none, which never matches. */
async function openedAccounts(stage: Stage, headers: Record<string, string>) {
  const { data } = await stage.broker(accountCalls.index, { query: { paginate: '100' } })
  const ids = data.map(({ id }) => id)
  const etags: string[] = []
  for (const id of ids) {
    const { headers: answered } = await fetch(`${stage.product.address}/api/v1/accounts/${id}`, { headers })
    etags.push(answered.get('etag') ?? '')
  }
  return { ids, etags }
}
