/** Lists longer than this draw only the rows near the view. */
export const WINDOW_ABOVE_ROWS = 150
export const ROW_PX = 40
const AHEAD_ROWS = 8
const STEP_PX = 8 * ROW_PX

/** Scrolling counts in steps of some rows, so that most of it draws nothing anew. */
export const scrollStep = (scrollTopPx: number): number => Math.floor(scrollTopPx / STEP_PX) * STEP_PX

export interface RowWindow {
  first: number
  /** Exclusive. */
  end: number
  beforePx: number
  afterPx: number
}

/** Which rows of a list of equal row heights to draw; all of them when the list is short. */
export function rowWindow(count: number, scrollTopPx: number, viewPx: number): RowWindow {
  if (count <= WINDOW_ABOVE_ROWS) return { first: 0, end: count, beforePx: 0, afterPx: 0 }
  const first = Math.min(Math.max(0, Math.floor(scrollTopPx / ROW_PX) - AHEAD_ROWS), count)
  const end = Math.min(count, Math.ceil((scrollTopPx + STEP_PX + viewPx) / ROW_PX) + AHEAD_ROWS)
  return { first, end, beforePx: first * ROW_PX, afterPx: (count - end) * ROW_PX }
}
