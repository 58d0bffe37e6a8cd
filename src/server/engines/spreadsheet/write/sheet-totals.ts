import { escapeXml } from '#server/engines/office-files/xml.ts'
import { textXml, totalStyleNumber, type SheetColumn, type SheetValue } from './cell-xml.ts'

interface Summed {
  columns: readonly SheetColumn[]
  /** The position of a column; with different texts in it, such as currencies, each of them gets a closing row of its own. */
  totalsBy?: number
}

interface TotalsRow {
  label: string
  row: number
  sums: readonly number[]
  /** Only of rows with this text in the column with these letters. */
  only?: { by: string; key: string }
}

/** The sums of the columns marked `total`, for the rows at the end of a sheet. */
export class SheetTotals {
  private readonly sheet: Summed
  private readonly letters: readonly string[]
  private readonly summed: readonly number[]
  /** By the text in the column `totalsBy`, which is '' without it. */
  private readonly sums = new Map<string, number[]>()

  /** @param letters of the columns */
  constructor(sheet: Summed, letters: readonly string[]) {
    this.sheet = sheet
    this.letters = letters
    this.summed = sheet.columns.flatMap(({ total }, at) => (total === true ? [at] : []))
  }

  add(values: readonly SheetValue[]): void {
    const { totalsBy } = this.sheet
    const key = totalsBy === undefined ? '' : values[totalsBy]
    const sums = this.sumsOf(typeof key === 'string' ? key : '')
    for (const at of this.summed) {
      const number = values[at] === null ? 0 : Number(values[at])
      if (Number.isFinite(number)) sums[at] = (sums[at] ?? 0) + number
    }
  }

  private sumsOf(key: string): number[] {
    const found = this.sums.get(key)
    if (found !== undefined) return found
    const sums: number[] = []
    this.sums.set(key, sums)
    return sums
  }

  /**
   * "Total", or "Total USD" and "Total CAD" where values of different columns `totalsBy` cannot be added up.
   * @param last the last row with data
   */
  render(label: string, last: number): string {
    const { totalsBy } = this.sheet
    if (this.sums.size <= 1) return this.renderRow(last, { label, row: last + 1, sums: [...this.sums.values()][0] ?? [] })
    const by = totalsBy === undefined ? '' : (this.letters[totalsBy] ?? '')
    return [...this.sums]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, sums], at) => this.renderRow(last, { label: `${label} ${key}`, row: last + 1 + at, sums, only: { by, key } }))
      .join('')
  }

  /** The label is in the first column. Sums are formulas with their result, so that they follow when rows are edited. */
  private renderRow(last: number, { label, row, sums, only }: TotalsRow): string {
    const formulaOf = (range: string) =>
      only === undefined ? `SUM(${range})` : `SUMIF($${only.by}$2:$${only.by}$${last},"${only.key.replaceAll('"', '""')}",${range})`
    const cells = this.sheet.columns.map((column, at) => {
      const letters = this.letters[at]
      if (at === 0) return textXml(label, 'totalText', `${letters}${row}`)
      if (!column.total) return ''
      const formula = last > 1 ? `<f>${escapeXml(formulaOf(`${letters}2:${letters}${last}`))}</f>` : ''
      return `<c r="${letters}${row}" s="${totalStyleNumber(column.kind)}">${formula}<v>${sums[at] ?? 0}</v></c>`
    })
    return `<row r="${row}">${cells.join('')}</row>`
  }
}
