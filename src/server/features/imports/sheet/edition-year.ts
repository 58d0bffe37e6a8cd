const FULL = /(?<![\d-])(20\d\d)(?:\s?[-/]\s?(20\d\d|\d\d))?(?![\ds+]|\s?[-/]\s?\d)/
const SHORT = /(?<![\d-])(\d\d)\s?[-/]\s?(\d\d)(?![\d-])/
const OF_BUILDINGS = /\b(built|build|constructed|construction|before|after|pre|post|since|newer|older)\b/i

/**
 * The year a sheet was made for, by its name: 2025 of `SOV 2025`, 2026 of `SOV 25-26`. Undefined where years tell buildings apart
 * (`2000-2019`, `Built 2020`) or none is named.
 */
export function editionYear(sheetName: string): number | undefined {
  const name = sheetName.replace(/_/g, ' ')
  if (OF_BUILDINGS.test(name)) return undefined
  const full = FULL.exec(name)
  if (full) return laterOf(Number(full[1]), full[2])
  const short = SHORT.exec(name)
  return short && Number(short[2]) - Number(short[1]) === 1 ? 2_000 + Number(short[2]) : undefined
}

/** A term runs over two years; a longer range is none. */
function laterOf(first: number, second: string | undefined): number | undefined {
  if (second === undefined) return first
  const last = second.length === 2 ? 2_000 + Number(second) : Number(second)
  return last - first === 1 ? last : undefined
}
