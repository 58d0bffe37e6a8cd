import { IMPORT_HEADER_SCAN_ROWS } from '#contract/limits.ts'

const CANDIDATES = [',', ';', '\t', '|'] as const

/**
 * The delimiter that cuts the first rows into the most constant number of columns (more than one); between
 * equals, the one with more columns. A comma when nothing cuts. Quoted delimiters do not count.
 */
export function detectDelimiter(head: string): string {
  let best: { delimiter: string; share: number; columns: number } = { delimiter: ',', share: 0, columns: 1 }
  for (const delimiter of CANDIDATES) {
    const { share, columns } = constancy(columnCounts(head, delimiter))
    if (columns > 1 && (share > best.share || (share === best.share && columns > best.columns))) best = { delimiter, share, columns }
  }
  return best.delimiter
}

/** Columns of each of the first rows; the last one may be cut off by the end of the sample, so it is left out. */
function columnCounts(head: string, delimiter: string): number[] {
  const counts: number[] = []
  let columns = 1
  let filled = false
  let quoted = false
  for (let at = 0; at < head.length && counts.length < IMPORT_HEADER_SCAN_ROWS; at++) {
    const sign = head[at]
    if (sign === '"') quoted = !quoted
    else if (quoted) continue
    else if (sign === delimiter) columns++
    else if (sign === '\n' || sign === '\r') {
      if (filled) counts.push(columns)
      columns = 1
      filled = false
      continue
    }
    filled = true
  }
  if (counts.length === 0 && filled) counts.push(columns)
  return counts
}

function constancy(counts: number[]): { share: number; columns: number } {
  const times = new Map<number, number>()
  for (const count of counts) if (count > 1) times.set(count, (times.get(count) ?? 0) + 1)
  let best = { share: 0, columns: 1 }
  for (const [columns, rows] of times) {
    const share = rows / counts.length
    if (share > best.share || (share === best.share && columns > best.columns)) best = { share, columns }
  }
  return best
}
