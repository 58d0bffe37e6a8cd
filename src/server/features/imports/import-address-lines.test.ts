import { expect, test } from 'vitest'
import { begin, commit, register } from '#server/testing/factories/import-flow.ts'
import { deskForEachTest } from '#server/testing/desk.fixture.ts'

const desk = deskForEachTest()

const PLACES = ['Reno,NV,89501', 'Dallas,TX,75201', 'Tampa,FL,33602', 'Boise,ID,83702'].map((text) => text.split(','))
/** A schedule with one cell for several parts of the address, and the rest of it in other columns. */
const schedule = (header: string, cellsOf: (street: string, place: readonly string[]) => string) =>
  [`Loc #,${header},Building Value`, ...PLACES.map((place, at) => `${at + 1},${cellsOf(`${at + 1}00 Maple Street`, place)},1000000`)].join(
    '\n',
  )

test.each([
  ['a line break', 'Location Address', (street: string, [city, state, zip]: readonly string[]) => `"${street}\n${city}, ${state} ${zip}"`],
  ['line breaks only', 'Address', (street: string, [city, state, zip]: readonly string[]) => `"${street}\r\n${city}\r\n${state} ${zip}\n"`],
  [
    'a comma and a line break',
    'Address',
    (street: string, [city, state, zip]: readonly string[]) => `"${street},\n${city} ${state} ${zip}"`,
  ],
])('an address with %s between street and city is split', async (_, header, cellsOf) => {
  const data = await begin(desk, schedule(header, cellsOf))
  expect(data.columns[1]).toMatchObject({ field: 'full_address', split: expect.arrayContaining(['100 Maple Street | Reno | NV | 89501']) })
  await commit(desk, data)
  const [first, ...others] = await register(desk)
  expect([first, others.length]).toMatchObject([{ address: '100 Maple Street', city: 'Reno', state: 'NV', postal_code: '89501' }, 3])
})

test.each([
  ['City/State,Zip', ([city, state, zip]: readonly string[]) => `${city}/${state},${zip}`],
  ['City/State,Zip', ([city, state, zip]: readonly string[]) => `${city} / ${state},${zip}`],
  ['Town', ([city, state, zip]: readonly string[]) => `${city}/${state}/${zip}`],
  ['City | State | Zip', ([city, state, zip]: readonly string[]) => `${city} | ${state} | ${zip}`],
  ['City', ([city, state, zip]: readonly string[]) => `"${city}\n${state} ${zip}"`],
])('city and state in one cell below “%s” are split', async (header, cellsOf) => {
  const data = await begin(
    desk,
    schedule(`Street,${header}`, (street, place) => `${street},${cellsOf(place)}`),
  )
  await commit(desk, data)
  const [first, ...others] = await register(desk)
  expect([first, others.length]).toMatchObject([{ address: '100 Maple Street', city: 'Reno', state: 'NV', postal_code: '89501' }, 3])
})

test('a line break within the street of an address with a column for the city is a space', async () => {
  await commit(
    desk,
    await begin(
      desk,
      schedule('Address,City,State,Zip', (street, place) => `"${street.replace(' Street', '\nStreet')}",${place.join(',')}`),
    ),
  )
  expect((await register(desk))[0]).toMatchObject({ address: '100 Maple Street', city: 'Reno', address_2: null })
})
