import { alternate, type Round } from './figures.ts'
import { load, type Request } from './load.ts'
import type { Started } from './processes.ts'
import type { Effort } from './stage.ts'

const CONNECTIONS = 16

type Side = [server: Started, request: (number: number) => Request]

/** Requests a second of both servers at 16 connections, in turns. */
export async function race({ product, bare }: { product: Side; bare: Side }, { rounds, seconds }: Effort): Promise<Round[]> {
  const run =
    ([{ address }, request]: Side) =>
    async (time = seconds) =>
      (await load({ address, connections: CONNECTIONS, seconds: time, request })).perSecond
  await run(product)(seconds / 2)
  await run(bare)(seconds / 2)
  return alternate(
    rounds,
    () => run(product)(),
    () => run(bare)(),
  )
}
