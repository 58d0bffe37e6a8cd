/** The page numbers to offer: first, last and those around the current one; null stands for a gap. */
export function pageNumbers(current: number, last: number): (number | null)[] {
  if (last <= 7) return Array.from({ length: last }, (_, index) => index + 1)
  const near = [current - 1, current, current + 1].filter((page) => page > 1 && page < last)
  const before = (near[0] ?? 2) > 2 ? [null] : []
  const after = (near.at(-1) ?? last) < last - 1 ? [null] : []
  return [1, ...before, ...near, ...after, last]
}

/** "1 to 15 of 8,645" */
export function rangeText(from: number | null, to: number | null, total: number): string {
  const count = total.toLocaleString('en-US')
  return from === null || to === null ? `0 of ${count}` : `${from.toLocaleString('en-US')} to ${to.toLocaleString('en-US')} of ${count}`
}
