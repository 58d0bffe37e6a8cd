import type { RegisterRow } from './register-row.ts'

/** The register by everything an incoming row may be recognised by. */
export interface RegisterIndex {
  byId: ReadonlyMap<string, RegisterRow>
  byExternalId: ReadonlyMap<string, RegisterRow[]>
  byNumber: ReadonlyMap<string, RegisterRow[]>
  byAddress: ReadonlyMap<string, RegisterRow[]>
  byWeakAddress: ReadonlyMap<string, RegisterRow[]>
  byCell: ReadonlyMap<string, RegisterRow[]>
}

/** About 50 m of latitude; neighbours of a cell are searched too. */
const CELL_DEGREES = 0.001

export const numberKey = (location: string, building: string | null | undefined): string =>
  `${location.trim().toUpperCase()}|${(building ?? '1').trim().toUpperCase()}`

const cellOf = (degrees: number) => Math.floor(degrees / CELL_DEGREES)
export const nearbyCells = (latitude: number, longitude: number): string[] =>
  [-1, 0, 1].flatMap((up) => [-1, 0, 1].map((right) => `${cellOf(latitude) + up}|${cellOf(longitude) + right}`))

export function indexRegister(rows: readonly RegisterRow[]): RegisterIndex {
  const group = (keyOf: (row: RegisterRow) => string | null | undefined) => {
    const index = new Map<string, RegisterRow[]>()
    for (const row of rows) {
      const key = keyOf(row)
      if (!key) continue
      const list = index.get(key)
      if (list) list.push(row)
      else index.set(key, [row])
    }
    return index
  }
  return {
    byId: new Map(rows.map((row) => [row.id, row])),
    byExternalId: group(({ values }) => values.external_id),
    byNumber: group(({ values }) => (values.location_number ? numberKey(values.location_number, values.building_number) : null)),
    byAddress: group(({ addressKey }) => addressKey),
    byWeakAddress: group(({ weakAddressKey }) => weakAddressKey),
    byCell: group(({ values }) => {
      const { latitude, longitude } = values
      return typeof latitude === 'number' && typeof longitude === 'number' ? `${cellOf(latitude)}|${cellOf(longitude)}` : null
    }),
  }
}
