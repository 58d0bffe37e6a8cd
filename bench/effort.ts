import type { Scale } from './stage.ts'

/** How much is measured; `small` is for trying the benchmarks out, its figures are told but prove nothing. */
export interface Effort {
  rounds: number
  /** Of one side of one round under load. */
  seconds: number
  lists: Scale
  growth: readonly [small: Scale, large: Scale]
  archive: { files: number; bytes: number }
  importRounds: number
}

const COMPANIES = 200
const ACCOUNTS = 20_000
const GB = 1024 ** 3

const sized = (properties: number, accounts = ACCOUNTS, companies = COMPANIES): Scale => ({ companies, accounts, properties })

export const EFFORTS: Record<'full' | 'small', Effort> = {
  full: {
    rounds: 7,
    seconds: 2,
    lists: sized(500_000),
    growth: [sized(10_000), sized(1_000_000)],
    archive: { files: 2_000, bytes: 2 * GB },
    importRounds: 3,
  },
  small: {
    rounds: 3,
    seconds: 1,
    lists: sized(20_000, 2_000, 20),
    growth: [sized(1_000, 2_000, 20), sized(20_000, 2_000, 20)],
    archive: { files: 100, bytes: GB / 10 },
    importRounds: 1,
  },
}
