import { describe, expect, test } from 'vitest'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { readCell } from './read-cell.ts'

const read = (field: Parameters<typeof readCell>[1], cell: string) =>
  readCell(cell, field, columnStyle(normalizeHeader(''), [cell], SETTINGS))

describe('construction in French, Spanish or German', () => {
  test.each([
    ['Incombustible', '3'],
    ['No combustible', '3'],
    ['Nicht brennbar', '3'],
    ['Maçonnerie incombustible', '4'],
    ['Ossature de bois', '1'],
    ['Madera', '1'],
    ['Fachwerk', '1'],
    ['Béton armé', '6'],
    ['Hormigón armado', '6'],
    ['Stahlbeton', '6'],
  ])('“%s” is class %s', (text, code) => {
    expect(read('construction_class', text)).toMatchObject({ value: code })
    expect(read('construction_class', text).problem).toBeUndefined()
  })
  test.each([
    ['Mauerwerk', '2'],
    ['Acero', '3'],
    ['Béton', '6'],
  ])('“%s”, which may be several classes as in English, is class %s with a warning', (text, code) =>
    expect(read('construction_class', text)).toMatchObject({ value: code, problem: { code: 'word_to_confirm' } }),
  )
  test.each(['Sin madera', 'Ohne Stahl'])('“%s” denies what it names', (text) =>
    expect(read('construction_class', text)).toMatchObject({ value: null, problem: { code: 'unknown_code' } }),
  )
})

test.each([
  ['Oui', 'full'],
  ['Sí', 'full'],
  ['ja', 'full'],
  ['Complète', 'full'],
  ['Non', 'none'],
  ['Nein', 'none'],
  ['Aucun', 'none'],
  ['Partiel', 'partial'],
  ['Teilweise', 'partial'],
])('“%s” below a header about sprinklers is %s', (text, value) => expect(read('sprinklered', text).value).toBe(value))

test.each([
  ['España', 'ES'],
  ['ESPANA', 'ES'],
  ['Frankreich', 'FR'],
  ['Schweiz', 'CH'],
  ['Estados Unidos', 'US'],
  ['Pays-Bas', 'NL'],
])('the country “%s” is %s', (text, code) => expect(read('country', text)).toEqual({ value: code }))

describe('occupancies in French, Spanish or German', () => {
  test.each([
    ['Lager', 'warehouse'],
    ['Hochregallager', 'warehouse'],
    ['Büro', 'office'],
    ['BÜROGEBÄUDE', 'office'],
    ['Wohnhaus', 'residential'],
    ['Mehrfamilienhaus', 'multifamily'],
    ['Werkstatt', 'industrial'],
    ['Produktionshalle', 'industrial'],
    ['Hotel', 'hospitality'],
    ['Schule', 'education'],
    ['Einkaufszentrum', 'retail'],
    ['Bureau', 'office'],
    ['Entrepôt', 'warehouse'],
    ['Logements', 'multifamily'],
    ['Usine', 'industrial'],
    ['Atelier', 'industrial'],
    ['Commerce', 'retail'],
    ['Hôtel', 'hospitality'],
    ['Hôtel de ville', 'government'],
    ['École', 'education'],
    ['Maison de retraite', 'senior_living'],
    ['Oficinas', 'office'],
    ['Almacén', 'warehouse'],
  ])('“%s” is %s without a warning', (text, code) => {
    expect(read('property_type', text)).toEqual({ value: code, derived: { occupancy_original: text } })
  })
  test.each([
    ['Büro und Lager', 'office'],
    ['Entrepôt et bureaux', 'warehouse'],
  ])('“%s” names two uses, and the first one is to be confirmed', (text, code) =>
    expect(read('property_type', text)).toMatchObject({ value: code, problem: { code: 'word_to_confirm' } }),
  )
  test.each(['Chamber of Commerce', 'Trockenturm'])('“%s” is not understood', (text) =>
    expect(read('property_type', text)).toMatchObject({ value: 'other', problem: { code: 'unknown_code' } }),
  )
})
