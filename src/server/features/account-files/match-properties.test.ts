import { describe, expect, it } from 'vitest'
import { cluesOf, matchProperties, type NamedProperty } from './match-properties.ts'

let serial = 0
const property = (address: string, more: Partial<NamedProperty> = {}): NamedProperty => ({
  id: `p${(serial += 1)}`,
  location_number: null,
  building_number: '1',
  property_name: null,
  address,
  address_2: null,
  city: 'Reno',
  ...more,
})
const harbor = property('1200 N Harbor Drive', { location_number: '1', property_name: 'Main plant' })
const annex = property('1202 N Harbor Drive', { location_number: '2', property_name: 'Main plant annex' })
const oak1 = property('45 Oak St', { location_number: '007', building_number: '1' })
const oak2 = property('45 Oak St', { location_number: '007', building_number: '2' })
const mission = property('450 Mission Street', { location_number: '12', property_name: 'Roof', city: 'San Jose' })
const market = property('450 Market Street', { location_number: '13', property_name: 'Harbor Point Lofts' })
const fifth = property('88 5th Ave', { location_number: 'A4', property_name: 'Lakeview' })
const ALL = [harbor, annex, oak1, oak2, mission, market, fifth]

const matched = (path: string) => matchProperties(cluesOf(path), ALL, 'Harbor Point Lofts LLC').map(({ id }) => id)
const ids = (...list: NamedProperty[]) => list.map(({ id }) => id)

describe('a document is matched with the property that its path names', () => {
  it.each<[string, NamedProperty[]]>([
    ['Appraisal 1200 Harbor Dr.pdf', [harbor]],
    ['1200_North_Harbor_Drive_appraisal.pdf', [harbor]],
    ['Roof report - 450 Mission St - 2024.pdf', [mission]],
    ['450 Mission Roof warranty.pdf', [mission]],
    ['88 5th Avenue sprinkler.pdf', [fifth]],
    ['88 Fifth Ave photos/IMG_1.jpg', [fifth]],
    ['Loc 12 roof.pdf', [mission]],
    ['Location #012 - roof.pdf', [mission]],
    ['LOC_A4_ITM.pdf', [fifth]],
    ['Loc 7 Bldg 2 inspection.pdf', [oak2]],
    ['Loc 7-2 inspection.pdf', [oak2]],
    ['45 Oak Street Building 1.pdf', [oak1]],
    ['Main plant roof 2024.pdf', [harbor]],
    ['Main Plant Annex roof.pdf', [annex]],
    ['Properties/013 - Lakeview, Reno NV/08 Roof/roof.pdf', [fifth]],
    ['Bldg 2 roof.pdf', [oak2]],
  ])('%s', (path, expected) => {
    expect(matched(path)).toEqual(ids(...expected))
  })

  it('and with all buildings of the location if it names no building', () => {
    expect(matched('Loc 7 appraisal.pdf')).toEqual(ids(oak1, oak2))
    expect(matched('45 Oak St lease.pdf')).toEqual(ids(oak1, oak2))
  })
})

describe('a document is matched with no property', () => {
  it.each([
    ['that has only a year or a number', 'Roof report 2024.pdf'],
    ['whose location number does not exist', 'Loc 99 roof.pdf'],
    ['whose location and address are of two properties', 'Loc 12 - 1200 Harbor Dr.pdf'],
    ['whose street has another kind', '1200 Harbor Ave.pdf'],
    ['whose street has another direction', '1200 S Harbor Dr.pdf'],
    ['whose house number is part of another number', '11200 Harbor Dr.pdf'],
    ['whose house number belongs to two streets', '450 lease.pdf'],
    ['whose building does not exist at the location', 'Loc 7 Bldg 3.pdf'],
    ['that names the account', 'Harbor Point Lofts appraisal.pdf'],
    ['whose only clue is a word that is a kind of document', 'Roof.pdf'],
    ['whose building number is at several locations', 'Bldg 1 roof.pdf'],
  ])('%s', (_case, path) => {
    expect(matched(path)).toEqual([])
  })
})
