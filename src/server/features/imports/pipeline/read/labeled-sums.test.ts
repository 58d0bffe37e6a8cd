import { expect, test } from 'vitest'
import type { Cell } from './cells.ts'
import { classifySchedule } from './classify-rows.ts'

const HEADER = 'Campus,Bldg,Address,City,St,Zip,Building,Contents,BI'

/** The numbers of the rows that are sums, and of those that are a question. */
async function found(lines: readonly string[], header = HEADER) {
  const rows = [header, ...lines].map((line, index) => ({
    number: index + 1,
    sheet: 0,
    sheetRow: index + 1,
    hidden: false,
    cells: line.split(',').map((text): Cell => (text === '' ? null : /^\d+$/.test(text) ? Number(text) : text)),
  }))
  const doubts: number[] = []
  const kinds = await classifySchedule(
    (async function* batches() {
      yield rows
    })(),
    [{ index: 0, headerRow: 1 }],
    header.split(','),
    () => {},
    async () => {},
    (row) => doubts.push(row),
  )
  return { sums: kinds.filter(({ kind }) => kind === 'total' || kind === 'subtotal').map(({ row }) => row), doubts }
}

test('the total of a campus with its address is a sum if one of the buildings alone has the business income', async () =>
  expect(
    await found([
      'Main,Tower,1 Health Way,Reno,NV,89501,62000000,4000000,90000000',
      'Main,MOB,1 Health Way,Reno,NV,89501,18000000,9000000,',
      'Main,Campus total,1 Health Way,Reno,NV,89501,80000000,13000000,90000000',
      'North,Clinic,9 North Rd,Elko,NV,89801,15000000,1000000,20000000',
      'North,Lab,9 North Rd,Elko,NV,89801,5000000,2000000,',
      'North,Campus total,9 North Rd,Elko,NV,89801,20000000,3000000,20000000',
    ]),
  ).toEqual({ sums: [4, 7], doubts: [] }))

test('the first building of a place is no sum of the others with their total', async () =>
  expect(
    await found(
      [
        'RNO,Dock,1 Freight Way,Reno,NV,89501,40,6200000,400000,1500000,120000,9000000',
        'RNO,Shop,1 Freight Way,Reno,NV,89501,6,1800000,900000,,,',
        'RNO,Terminal total,1 Freight Way,Reno,NV,89501,46,8000000,1300000,1500000,120000,9000000',
      ],
      'Terminal,Bldg,Address,City,St,Zip,Dock Doors,Bldg Value,Shop Equip,Cargo on Dock,Fuel Tanks,Yearly Gross Earnings',
    ),
  ).toEqual({ sums: [4], doubts: [] }))

test.each(['All', 'Site', 'TTL', '1-2', 'All buildings'])('“%s” in place of a building number is the sum of the buildings', async (label) =>
  expect(
    await found([
      'Oak Park,1,1 Oak Dr,Reno,NV,89501,3600000,20000,400000',
      'Oak Park,2,3 Oak Dr,Reno,NV,89501,3400000,25000,410000',
      `Oak Park,${label},1 Oak Dr,Reno,NV,89501,7000000,45000,810000`,
    ]),
  ).toEqual({ sums: [4], doubts: [] }),
)

test('the total of a place is a sum if one of its buildings has no units', async () =>
  expect(
    await found(
      [
        'Oak Park,1,1 Oak Dr,Reno,NV,89501,24,3600000,20000,400000',
        'Oak Park,2,3 Oak Dr,Reno,NV,89501,24,3600000,20000,400000',
        'Oak Park,Clubhouse,5 Oak Dr,Reno,NV,89501,,600000,80000,',
        'Oak Park,All,1 Oak Dr,Reno,NV,89501,48,7800000,120000,800000',
      ],
      'Community,Bldg,Address,City,State,Zip,Units,Building,Contents,Rents',
    ),
  ).toEqual({ sums: [5], doubts: [] }))

test('a sum above its buildings is recognized by its label', async () =>
  expect(
    await found([
      'Oak Park Subtotal,,1 Oak Dr,Reno,NV,89501,7003000,46000,',
      'Oak Park,1,1 Oak Dr,Reno,NV,89501,3601000,21000,',
      'Oak Park,2,3 Oak Dr,Reno,NV,89501,3402000,25000,',
    ]),
  ).toEqual({ sums: [2], doubts: [] }))

test.each([
  ['whose values are rounded', 'Oak Park,Total,1 Oak Dr,Reno,NV,89501,7004000,45500,810000'],
  ['of a state, rounded', 'Total NV,,2 sites,Reno,NV,,7004000,45500,810000'],
])('a row with a label of a total %s is a question', async (_, total) =>
  expect(
    await found([
      'Oak Park,1,1 Oak Dr,Reno,NV,89501,3601000,21000,400000',
      'Oak Park,2,3 Oak Dr,Reno,NV,89501,3402000,25000,410000',
      total,
    ]),
  ).toEqual({ sums: [], doubts: [4] }),
)

test('the rows of a recap below the locations are a question', async () =>
  expect(
    await found(
      [
        '1,1 Main St,Reno,NV,89501,1250000,50000',
        '2,2 Main St,Reno,NV,89501,850000,40000',
        '3,3 Main St,Boise,ID,83702,2250000,90000',
        'Recap by city,,,,,,',
        '2,Reno locations,Reno,NV,,2100000,90000',
        '1,Boise location,Boise,ID,,2250000,90000',
      ],
      'Loc,Address,City,State,Zip,Building,Contents',
    ),
  ).toEqual({ sums: [], doubts: [6, 7] }))

test('a store whose name begins with “Total” is no question without the sum of others', async () =>
  expect(
    await found([
      'Dallas,Grocer,1 Oak Dr,Dallas,TX,75201,3601000,21000,400000',
      'Dallas,Total Wine & More,3 Oak Dr,Dallas,TX,75201,3402000,25000,410000',
      'Dallas,Site office,5 Oak Dr,Dallas,TX,75201,402000,5000,10000',
    ]),
  ).toEqual({ sums: [], doubts: [] }))
