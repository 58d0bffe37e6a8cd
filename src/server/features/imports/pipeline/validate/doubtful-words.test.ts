import { describe, expect, test } from 'vitest'
import type { PropertyFieldName } from '#contract/property-fields.ts'
import { SETTINGS } from '#server/features/imports/imports.fixture.ts'
import { columnStyle } from '#server/features/imports/pipeline/map/column-style.ts'
import { proposeMapping } from '#server/features/imports/pipeline/map/propose-mapping.ts'
import { normalizeHeader } from '#server/features/imports/pipeline/read/headers.ts'
import { readCell } from './read-cell.ts'

const PLAIN = columnStyle(normalizeHeader(''), [], SETTINGS)

/** `?` is a warning for the user to choose; with a value in front of it, this one is proposed. */
const read = (field: PropertyFieldName, text: string) => {
  const { value, problem } = readCell(text, field, PLAIN)
  return problem?.code === 'unknown_code' || problem?.code === 'word_to_confirm' ? `${value ?? ''}?` : value
}
/** The texts that are not read as expected, with what they are read as. */
const misread = (field: PropertyFieldName, expected: Readonly<Record<string, string | null>>) =>
  Object.fromEntries(Object.entries(expected).flatMap(([text, code]) => (read(field, text) === code ? [] : [[text, read(field, text)]])))

describe('sprinkler protection', () => {
  test('is none, to be confirmed, in a text that begins with no', () =>
    expect(
      misread('sprinklered', {
        'N - dry': 'none?',
        'N/wet': 'none?',
        'No - dry pipe planned': 'none?',
        'No wet system': 'none?',
        'No, wet chemical': 'none?',
        'None - wet standpipe': 'none?',
        'No (13R planned)': 'none?',
      }),
    ).toEqual({}))
  test('is none without a question in the usual words for it', () =>
    expect(
      misread('sprinklered', { 'Not sprinklered': 'none', 'w/o sprinklers': 'none', 'No sprinkler system': 'none', NS: 'none' }),
    ).toEqual({}))
  test('is not read from a text that denies or plans it, or may be about something else', () =>
    expect(
      misread('sprinklered', {
        'Dry/None': '?',
        'N (wet chem hood only)': '?',
        'No sprinklers in attic': '?',
        'N - 40%': '?',
        'Not 13': '?',
        'Wet - out of service': '?',
        'Wet system (removed)': '?',
        'Wet to be installed 2027': '?',
        'Wet chemical': '?',
        'Dry standpipe': '?',
        'Wet?': '?',
        'Wet 40% / dry 60%': '?',
      }),
    ).toEqual({}))
  test('is partial, to be confirmed, with a share or a limit', () => {
    expect(
      misread('sprinklered', {
        'Wet - 40%': 'partial?',
        'Y - 50%': 'partial?',
        'Basement only (wet)': 'partial?',
        'Yes except attic': 'partial?',
        'Partial wet': 'partial?',
      }),
    ).toEqual({})
    expect(readCell('Wet - 40%', 'sprinklered', PLAIN).derived).toEqual({ sprinkler_system: 'wet', percent_sprinklered: 40 })
    expect(readCell('Basement only (wet)', 'sprinklered', PLAIN).derived).toEqual({ sprinkler_system: 'wet' })
  })
  test('is full with the usual words for a system', () => {
    expect(
      misread('sprinklered', { 'Yes - wet': 'full', '100% wet pipe': 'full', 'Wet pipe, ordinary hazard': 'full', 'Wet/Dry': 'full' }),
    ).toEqual({})
    expect(readCell('Wet/Dry', 'sprinklered', PLAIN).derived).toBeUndefined()
  })
})

describe('an alarm', () => {
  test('is not read from a text that denies it', () =>
    expect(
      misread('fire_alarm', {
        'Not monitored': '?',
        'No central station': '?',
        'N - central': '?',
        'CS - canceled': '?',
        Unmonitored: '?',
        'Non-monitored': '?',
        'Central station (disconnected)': '?',
        'Central, none at night': '?',
      }),
    ).toEqual({}))
  test('is none if the text says so, and the best of several', () =>
    expect(
      misread('burglar_alarm', {
        'No alarm': 'none',
        'No burglar alarm system': 'none',
        'Y - local': 'local',
        'Smoke & central': 'central_station',
      }),
    ).toEqual({}))
})

/** What is offered for a text that leaves the field empty. */
const offered = (field: PropertyFieldName, text: string, header = '') => {
  const { value, problem } = readCell(text, field, columnStyle(normalizeHeader(header), [], SETTINGS))
  return value ?? problem?.suggestion
}

describe('a text that says only that there is one', () => {
  test.each(['Y', 'Yes', 'TRUE', '1', 'x', '✓', 'Smoke detectors'])('%s names no kind of alarm', (text) => {
    expect([read('fire_alarm', text), read('burglar_alarm', text)]).toEqual(['?', '?'])
    expect(offered('fire_alarm', text)).toBe('Local')
  })
  test('names no kind of window protection and no interest', () => {
    expect(misread('opening_protection', { Y: '?', yes: '?', X: '?', '2': 'basic_shutters', Shutters: 'basic_shutters' })).toEqual({})
    expect(misread('interest', { Y: '?', Yes: '?', '1': '?', L: 'leased' })).toEqual({})
    expect(offered('opening_protection', 'Y')).toBe('Basic shutters')
  })
  test('means what its header names', () => {
    expect(offered('fire_alarm', 'Y', 'Central Station')).toBe('central_station')
    expect(offered('opening_protection', 'Yes', 'Impact Glass')).toBe('engineered')
    expect(offered('interest', '1', 'IsTenant')).toBe('leased')
    expect(offered('interest', 'Y', 'Owner Occupied')).toBe('owned')
    expect(offered('fire_alarm', 'N', 'Fire Alarm (Y/N)')).toBe('none')
    expect(offered('fire_alarm', 'N', 'Central Station')).toBe('None')
  })
  test('is full sprinkler protection', () => expect(misread('sprinklered', { Y: 'full', X: 'full', '✓': 'full' })).toEqual({}))
  test('fits its column as well as other words', async () => {
    const [column] = await proposeMapping([{ column: 'A', header: 'Fire Alarm', cells: ['Y', 'Y', 'Y'] }], new Map(), SETTINGS)
    expect(column).toMatchObject({ target: 'fire_alarm', status: 'mapped' })
  })
})

describe('a word of a short list', () => {
  test('is a whole word of its kind', () => {
    expect(misread('valuation_basis', { Stated: '?', 'Stated amount': '?', 'Agreed value': 'agreed', Supermarket: '?' })).toEqual({})
    expect(offered('valuation_basis', 'Stated')).toBe('Agreed value')
    expect(misread('opening_protection', { 'Hurricane straps': '?', 'Hurricane shutters': 'engineered', Miami: '?' })).toEqual({})
    expect(misread('roof_shape', { Finished: '?', 'Shed roof': 'shed', Inflatable: '?' })).toEqual({})
    expect(misread('foundation', { Compiled: '?', 'Post office': '?', Posts: 'pier', 'Slab on grade': 'slab' })).toEqual({})
    expect(misread('fire_alarm', { 'Central heating': '?', 'Central station': 'central_station', 'Self-monitored': '?' })).toEqual({})
    expect(misread('fire_alarm', { 'Locally monitored': 'local', Monitored: 'central_station', Central: 'central_station' })).toEqual({})
    expect(misread('roof_cover', { 'Ceiling tile': '?', 'Clay tile': 'tile' })).toEqual({})
  })

  test('is not read from a text that denies, plans or removes it', () => {
    expect(
      misread('opening_protection', {
        'No shutters': '?',
        'Shutters (removed)': '?',
        'Planned shutters': '?',
        'No engineered shutters': '?',
        'Non-impact glass': '?',
        'Shutters 50%': '?',
        'No opening protection': 'none',
        Unprotected: 'none',
        'Impact glass': 'engineered',
      }),
    ).toEqual({})
    expect(
      misread('roof_cover', { 'Not tile': '?', 'No metal - shingle': '?', 'Metal?': '?', 'Built-up without gravel': 'built_up' }),
    ).toEqual({})
    expect(misread('foundation', { 'Not on piles': '?', 'No basement, slab': '?', Pile: 'pile' })).toEqual({})
    expect(misread('valuation_basis', { 'Not replacement cost': '?', 'Replacement cost less depreciation': '?' })).toEqual({})
    expect(
      misread('interest', {
        'Leased to others': '?',
        'Owned (former lessee)': '?',
        'Owned/leased': 'other',
        'Leased from parent': 'leased',
      }),
    ).toEqual({})
  })
  test('is not read from a list of several', () => {
    expect(misread('foundation', { 'Slab / basement': '?', 'slab & pier': '?', 'Slab on grade': 'slab' })).toEqual({})
    expect(misread('roof_cover', { 'Tile and metal': '?', 'Tar & gravel': 'built_up_gravel' })).toEqual({})
  })
  test('is the upper one of two layers of a roof', () =>
    expect(misread('roof_cover', { 'TPO over metal deck': 'single_ply', 'Shingle over metal': 'asphalt_shingle' })).toEqual({}))
})

describe('construction', () => {
  test('is not read from a text that denies it', () =>
    expect(
      misread('construction_class', {
        'Non fire resistive': '?',
        'Not frame': '?',
        'Non-masonry': '?',
        'Formerly frame': '?',
        '4 - not confirmed': '?',
      }),
    ).toEqual({}))
  test('is a frame under another roof, and the lowest class with a warning where several are possible', () =>
    expect(
      misread('construction_class', {
        'Frame (non-comb roof)': '1',
        'Masonry w/ non-combustible roof': '4',
        'Brick or frame': '1?',
        'Mostly frame': '1?',
        'JM w/ frame addition': '1?',
        'Fire resistive wood frame': '1?',
        '3 story frame': '1',
        '1-hr rated masonry': '2?',
        '4 - Frame': '4?',
        'Unreinforced concrete block': '2?',
        Stucco: '1?',
        'Stucco on wood frame': '1',
        'Heavy timber': '1?',
        'CMU / stucco': '1?',
        'Unprotected noncombustible': '3',
        '6 - Fire Resistive': '6',
      }),
    ).toEqual({}))
})

describe('occupancy', () => {
  test('is vacant, to be confirmed, if a building of another use is', () =>
    expect(
      misread('property_type', {
        'Vacant office': 'vacant?',
        'Warehouse (vacant)': 'vacant?',
        'Closed restaurant': 'vacant?',
        'Vacant land': 'vacant',
        'Apts over retail': 'multifamily?',
        'Partially vacant office': 'office?',
      }),
    ).toEqual({}))
  test('is not read from a text that denies it', () =>
    expect(
      misread('property_type', {
        'Not a restaurant': 'other?',
        'Former school': 'other?',
        'Non-retail': 'other?',
        'Planned hotel': 'other?',
        Nonprofit: 'religious',
      }),
    ).toEqual({}))
})

test('a column of denials is mapped by its header', async () => {
  const cells = ['Not monitored', 'No central station', 'Central (canceled)']
  const [column] = await proposeMapping([{ column: 'A', header: 'Fire Alarm', cells }], new Map(), SETTINGS)
  expect(column).toMatchObject({ target: 'fire_alarm' })
})

test('X is a flood zone in upper and lower case, and no word in other lists', () => {
  expect(
    misread('flood_zone', {
      X: 'X',
      x: 'X',
      'Zone X': 'X',
      'X/AE': '?',
      'Not A': '?',
      'X (removed)': '?',
      XX: null,
      xxx: null,
      'N/A': null,
      unknown: null,
    }),
  ).toEqual({})
  expect(read('roof_cover', 'x')).toBeNull()
})
