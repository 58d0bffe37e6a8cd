import { describe, expect, it } from 'vitest'
import { builtinFormat, displayNumber, parseFormat, serialToIso } from './number-formats.ts'

describe('parseFormat', () => {
  it.each([
    'm/d/yyyy',
    'dd.mm.yy',
    'mmm-yy',
    'yyyy"年"m"月"',
    '[$-409]d\\-mmm\\-yy;@',
    'mmmm',
    '[Red]yyyy-mm-dd hh:mm',
    'm/d/yy h:mm AM/PM',
  ])('reads %s as a date', (code) => expect(parseFormat(code).date).toBe(true))

  it.each([
    'General',
    '#,##0.00',
    '$#,##0_);[Red]($#,##0)',
    '"dy"0',
    '0.00E+00',
    '[h]:mm:ss',
    'h:mm',
    'mm:ss',
    '@',
    '_(* #,##0_);_(* (#,##0)',
    '0 "days"',
    '\\d0',
  ])('does not read %s as a date', (code) => expect(parseFormat(code).date).toBe(false))

  it('recognizes percents and padded codes', () => {
    expect(parseFormat('0.0%')).toEqual({ date: false, percentDecimals: 1 })
    expect(parseFormat('00000\\-0000')).toEqual({ date: false, padding: '00000-0000' })
    expect(builtinFormat(10)).toEqual({ date: false, percentDecimals: 2 })
    expect(builtinFormat(14)).toEqual({ date: true })
  })
})

describe('displayNumber', () => {
  it.each([
    [7, '00000', '00007'],
    [123_456, '00000', '123456'],
    [21_234_567, '00000-0000', '02123-4567'],
    [1.5, '00000', '1.5'],
    [0.125, '0.0%', '12.5%'],
    [1_234_567, '$#,##0', '1234567'],
  ])('shows %d in the format %s as %s', (value, code, shown) => expect(displayNumber(value, parseFormat(code))).toBe(shown))
})

describe('serialToIso', () => {
  it.each([
    [1, false, '1900-01-01'],
    [59, false, '1900-02-28'],
    [60, false, undefined],
    [61, false, '1900-03-01'],
    [45_672, false, '2025-01-15'],
    [45_672.75, false, '2025-01-15T18:00:00'],
    [45_672.999999, false, '2025-01-16'],
    [0, false, undefined],
    [0, true, '1904-01-01'],
    [44_210, true, '2025-01-15'],
    [-5, false, undefined],
    [3_000_000, false, undefined],
  ])('converts %d (1904 system: %s) to %s', (serial, date1904, iso) => expect(serialToIso(serial, date1904)).toBe(iso))
})
