import type { Area } from '#server/engines/spreadsheet/sheet.ts'
import { factorOf, hasCurrency } from './amount-notation.ts'
import { cellText, isFilled, isYear, type SheetRow } from './cells.ts'
import { isHeaderOfValue, normalizeHeader } from './headers.ts'

interface GroupLabel {
  text: string
  isMerged: boolean
}

/**
 * The label above each column: merged over it, in its own cell, or in a cell to the left with blank cells between. A row with a single
 * text is a title, so its text counts only where it is merged, above years that follow each other, or as a year above one of several blocks. A group ends where its names repeat.
 */
export function groupLabels(row: SheetRow, labels: readonly string[], merges: readonly Area[]): GroupLabel[] {
  const ranges = merges.filter(
    ({ top, bottom, left, right }) => top <= row.number && bottom >= row.number && right > left && right - left < labels.length - 1,
  )
  const texts = row.cells.filter((cell) => isFilled(cell) && (typeof cell === 'string' || isYear(cellText(cell))))
  const hasGroups = texts.length > 1 && texts.length === row.cells.filter(isFilled).length
  const isOverYears = texts.length === 1 && isYear(labels[row.cells.findIndex(isFilled)] ?? '')
  const isOverBlock = texts.length === 1 && (isAboveOneBlock(row.cells, labels) || isUnitOfBlock(row.cells, labels))
  const inBlocks = hasGroups && ranges.length === 0 ? labelsOfBlocks(row, labels) : undefined
  let open = ''
  let names = new Set<string>()
  return labels.map((label, column): GroupLabel => {
    const range = ranges.find(({ left, right }) => column + 1 >= left && column + 1 <= right)
    const own = cellText(row.cells[column])
    if (range || own !== '' || label === '' || names.has(label) || (isOverYears && !isYear(label))) {
      open = range ? '' : own
      names = new Set()
    }
    names.add(label)
    if (range) return { text: cellText(row.cells[range.left - 1]), isMerged: true }
    if (inBlocks?.[column] !== undefined) return { text: inBlocks[column], isMerged: false }
    return { text: hasGroups || isOverYears || isOverBlock ? open : '', isMerged: false }
  })
}

/** Whether a text is a year or the like, alone or with words about values: it may precede the name of a value. */
function namesPeriod(text: string): boolean {
  const joined = `${text} building`
  return isYear(text) || (normalizeHeader(joined).period !== 0 && isHeaderOfValue(joined))
}

/** Whether the text of a row is a year above one of several blocks of the same names: “New for 2026” above the second `Building, Contents`. */
function isAboveOneBlock(cells: SheetRow['cells'], labels: readonly string[]): boolean {
  const column = cells.findIndex(isFilled)
  const label = labels[column] ?? ''
  return namesPeriod(cellText(cells[column])) && isHeaderOfValue(label) && labels.filter((other) => other === label).length > 1
}

/** Whether the text of a row is the unit of the values from its column to a column without a label, with other values after that. */
function isUnitOfBlock(cells: SheetRow['cells'], labels: readonly string[]): boolean {
  const column = cells.findIndex(isFilled)
  const end = labels.indexOf('', column)
  const values = labels.flatMap((label, index) => (isHeaderOfValue(label) ? [index] : []))
  const isApart = end > column && values[0] === column && values.some((index) => index > end)
  return isApart && factorOf(cellText(cells[column])) > 1
}

const AMOUNTS =
  /(?<!\p{L})(?:values?|amounts?|limits?|insured|property|time element|buildings?|contents|income|rents?|valeurs?|montants?|dommages|pertes|b[âa]timents?|contenu|valores|importes|da[ñn]os|lucro cesante|edificios?|contenidos?|werte|summen?|sach\p{L}*|geb[äa]ude|inhalt|dollars?|euros?|d[óo]lares|pesos|francs?|franken|pounds?)(?!\p{L})/iu

/**
 * Whether the labels of a row say in which units the amounts below them are: “Property Values ($000)” next to “Time Element ($)”, or alone, merged
 * over some of the columns of values and no others, or above the first ones of them, with an empty column behind these.
 */
export function isRowOfUnits(
  { number, cells }: Pick<SheetRow, 'number' | 'cells'>,
  labels: readonly string[],
  merges: readonly Area[],
): boolean {
  const texts = cells.filter(isFilled).map(cellText)
  const isAboutAmounts = (text: string) => factorOf(text) > 1 || hasCurrency(text) || AMOUNTS.test(text)
  if (!texts.some((text) => factorOf(text) > 1) || !texts.every(isAboutAmounts)) return false
  if (texts.length > 1) return true
  const column = cells.findIndex(isFilled) + 1
  const range = merges.find(({ top, bottom, left, right }) => top <= number && bottom >= number && left === column && right > left)
  if (range === undefined) return isUnitOfBlock(cells, labels)
  const values = labels.flatMap((label, index) => (isHeaderOfValue(label) ? [index + 1] : []))
  const isIn = (index: number) => index >= range.left && index <= range.right
  return values.filter(isIn).length === range.right - range.left + 1 && !values.every(isIn)
}

/** Whether a row has only labels with different years, such as “2026” and “2025 values”. */
export function isPeriodRow({ cells }: SheetRow): boolean {
  const texts = cells.filter(isFilled).map(cellText)
  return new Set(texts).size > 1 && texts.every(namesPeriod)
}

/**
 * The label of the block of each column, if as many blocks of columns with the same names follow one another as the row has labels, with one label
 * above each, wherever it is: “2025” in the middle of `Building, Contents, BI`. Other labels of the row may be above other columns.
 */
function labelsOfBlocks({ cells }: SheetRow, labels: readonly string[]): (string | undefined)[] | undefined {
  const at = labels.flatMap((_, column) => (isFilled(cells[column]) ? [column] : []))
  const years = at.filter((column) => namesPeriod(cellText(cells[column])))
  for (const columns of [at, years]) {
    const blocks = equalBlocks(columns, labels) ?? blocksOfValues(columns, labels)
    const isIn = (column: number, { start, end }: Block) => column >= start && column < end
    const textOf = (block: Block | undefined) => block && cellText(cells[columns.find((column) => isIn(column, block)) ?? -1])
    if (blocks) return labels.map((_, column) => textOf(blocks.find((block) => isIn(column, block))))
  }
  return undefined
}

/** Columns from `start` to before `end`. */
interface Block {
  start: number
  end: number
}

/** The blocks if all have the same names. */
function equalBlocks(at: readonly number[], labels: readonly string[]): Block[] | undefined {
  const [first = 0, second] = at
  if (second === undefined) return undefined
  const width = second - first
  const names = (start: number) =>
    labels
      .slice(start, start + width)
      .join('\n')
      .trim()
  const isBlocks = (start: number) =>
    names(start) !== '' &&
    at.every(
      (column, block) =>
        column >= start + block * width && column < start + (block + 1) * width && names(start + block * width) === names(start),
    )
  const start = Array.from({ length: width }, (_, back) => first - back).find((column) => column >= 0 && isBlocks(column))
  return start === undefined ? undefined : at.map((_, block) => ({ start: start + block * width, end: start + (block + 1) * width }))
}

/** The same of blocks that may lack some of the names: each begins where the names of values repeat. */
function blocksOfValues(at: readonly number[], labels: readonly string[]): Block[] | undefined {
  const isRepeated = (label: string) => labels.indexOf(label) !== labels.lastIndexOf(label)
  const first = labels.findIndex((label) => label !== '' && isRepeated(label) && isHeaderOfValue(label))
  if (first === -1 || at.length < 2) return undefined
  const starts = [Math.min(first, ...at)]
  let names = new Set<string>()
  for (const [column, label] of labels.entries()) {
    if (column < first || label === '') continue
    if (names.has(label)) {
      starts.push(column)
      names = new Set()
    }
    names.add(label)
  }
  const blocks = starts.map((start, index): Block => {
    const next = starts[index + 1] ?? labels.length
    const blank = labels.findIndex((label, column) => column > Math.max(start, first) && label === '')
    return { start, end: blank === -1 ? next : Math.min(blank, next) }
  })
  const hasLabel = ({ start, end }: Block) => at.filter((column) => column >= start && column < end).length === 1
  return blocks.length === at.length && blocks.every(hasLabel) ? blocks : undefined
}
