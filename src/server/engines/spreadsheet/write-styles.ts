import type { ColumnKind } from './write-shapes.ts'

const CELL = { text: 1, number: 2, money: 3, date: 4, percent: 5, link: 6 } as const satisfies Record<ColumnKind, number>
const TOTAL = { text: 8, number: 9, money: 10, date: 8, percent: 11, link: 8 } as const satisfies Record<ColumnKind, number>

export const HEADER_STYLE = 7
/** Text that begins like a formula: it stays text even when somebody edits the cell. */
export const QUOTED_STYLE = 12
export const cellStyle = (kind: ColumnKind): number => CELL[kind]
export const totalStyle = (kind: ColumnKind): number => TOTAL[kind]

const MONEY = 164
const DATE = 165
const TEXT = 49
const PERCENT = 10

const xf = (format: number, font = 0, rest = '') =>
  `<xf numFmtId="${format}" fontId="${font}" fillId="${font === 1 ? 2 : 0}" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1"${rest}`

/** The styles part; the order of `cellXfs` is the numbering above. */
export const STYLES_XML = [
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">',
  `<numFmts count="2"><numFmt numFmtId="${MONEY}" formatCode="#,##0;[Red]-#,##0"/><numFmt numFmtId="${DATE}" formatCode="mm/dd/yyyy"/></numFmts>`,
  '<fonts count="4"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font>',
  '<font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>',
  '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>',
  '<fill><patternFill patternType="solid"><fgColor rgb="FFE9ECEF"/><bgColor indexed="64"/></patternFill></fill></fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  '<cellXfs count="13">',
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  `${xf(TEXT)}/>${xf(0)}/>${xf(MONEY)}/>${xf(DATE)}/>${xf(PERCENT)}/>${xf(TEXT, 2)}/>`,
  `${xf(0, 1, ' applyAlignment="1"')}><alignment vertical="center" wrapText="1"/></xf>`,
  `${xf(TEXT, 3)}/>${xf(0, 3)}/>${xf(MONEY, 3)}/>${xf(PERCENT, 3)}/>${xf(TEXT, 0, ' quotePrefix="1"')}/>`,
  '</cellXfs>',
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
  '</styleSheet>',
].join('')
