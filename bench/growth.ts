import type { Effort } from './effort.ts'
import { alternate, median, milliseconds, ratioFigure, type Line } from './figures.ts'
import { load } from './load.ts'
import { openStage, type Stage } from './stage.ts'

const GROWTH_AT_MOST = 1.5

const WHAT = 'accounts, page 1, sorted, with total'
const PATH = 'accounts?sort=updated_at&order=desc'

/** Time of the same list as the number of properties grows a hundredfold: one person asking, every answer new. */
export async function measureGrowth({ growth: [fewScale, manyScale], rounds, seconds }: Effort): Promise<Line[]> {
  const many = await openStage(manyScale)
  const few = await openStage(fewScale).catch(async (error: unknown) => {
    await many.close()
    throw error
  })
  try {
    const time = (stage: Stage) => () => medianMs(stage, seconds)
    await time(many)()
    await time(few)()
    const taken = await alternate(rounds, time(many), time(few))
    const sizes = `${manyScale.properties.toLocaleString('en-US')} to ${fewScale.properties.toLocaleString('en-US')} properties`
    return [
      ratioFigure({ what: `${WHAT}: ${sizes}`, rounds: taken, unit: milliseconds, yardstick: 'the small one', atMost: GROWTH_AT_MOST }),
    ]
  } finally {
    await few.close()
    await many.close()
  }
}

let serial = 0

async function medianMs({ product, brokerToken }: Stage, seconds: number): Promise<number> {
  const request = () => ({
    path: `/api/v1/${PATH}&filter__unheard_of=${(serial += 1)}`,
    headers: { authorization: `Bearer ${brokerToken}` },
  })
  return median((await load({ address: product.address, connections: 1, seconds, request })).latencies)
}
