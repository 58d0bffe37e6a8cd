const STREETS = ['Harbor', 'Mill', 'Foundry', 'Cannery', 'Orchard', 'Depot', 'Quarry', 'Lumber']
const BUILDING = 2_400_000
const CONTENTS = 310_000

/** A statement of values as CSV with complete, different rows. */
export function statementOfValues(rows: number): Buffer {
  const lines = [
    'Location Number,Property Name,Address,City,State,ZIP,Building Value,Contents Value,Year Built,Stories,Construction,Occupancy',
  ]
  for (let row = 1; row <= rows; row += 1) {
    const street = STREETS[row % STREETS.length]
    lines.push(
      `${row},Building ${row},${row} ${street} St,Sacramento,CA,95814,${BUILDING + row},${CONTENTS + row},${1950 + (row % 70)},${1 + (row % 9)},Masonry,Office`,
    )
  }
  return Buffer.from(lines.join('\r\n'))
}
