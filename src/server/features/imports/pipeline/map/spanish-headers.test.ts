import { expect, test } from 'vitest'
import { readTable } from '#server/features/imports/imports.fixture.ts'

const PLACE = 'Dirección;Ciudad;Provincia;Código postal;País'
const FIELDS = ['location_number', 'address', 'city', 'state', 'postal_code', 'country', 'building_value', 'contents_value', 'bi_value']

test.each([
  ['N.º', 'Continente;Contenido;Lucro cesante'],
  ['Nº', 'Valor del continente;Valor contenido;Pérdida de beneficios'],
  ['N°', 'Suma asegurada continente (€);Suma asegurada contenido (€);Suma asegurada lucro cesante (€)'],
  ['N.°', 'Capital continente;Capital contenido;Lucro cesante'],
  ['Nro.', 'Suma asegurada edificio;Suma asegurada contenidos;Lucro cesante'],
  ['N.º de ubicación', 'Continente 2026;Contenido 2026;Lucro cesante 2026'],
])('a Spanish schedule with the headers %s and %s is read completely', async (number, values) => {
  const { proposals = [], read = [] } = await readTable([
    [number, ...PLACE.split(';'), ...values.split(';')],
    ['1', 'Calle Mayor 12', 'Madrid', 'Madrid', '28013', 'España', '1.250.000,50', '300.000,00', '90.000,00'],
    ['2', 'Avenida Diagonal 401', 'Barcelona', 'Barcelona', '08008', 'España', '2.000.000,00', '500.000,00', '0,00'],
  ])
  expect(proposals.map(({ target }) => target)).toEqual(FIELDS)
  // Only the province must be confirmed, as the states of other countries.
  expect(proposals.filter(({ status }) => status !== 'mapped').map(({ target }) => target)).toEqual(['state'])
  const { fields } = read[0] ?? {}
  expect(fields).toMatchObject({
    location_number: '1',
    city: 'Madrid',
    building_value: 1_250_001,
    contents_value: 300_000,
    bi_value: 90_000,
  })
})

test('the sign for a number before a building is that of the building', async () => {
  const { proposals = [] } = await readTable([
    ['N.º de edificio', ...PLACE.split(';'), 'Continente'],
    ['1', 'Calle Mayor 12', 'Madrid', 'Madrid', '28013', 'España', '1.250.000,50'],
    ['2', 'Calle Mayor 12', 'Madrid', 'Madrid', '28013', 'España', '1.250.000,50'],
  ])
  expect(proposals[0]?.target).toBe('building_number')
})
