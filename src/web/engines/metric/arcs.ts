/** The drawing of pies, in a box of -1 to 1 in both directions; angles run clockwise from the top. */
export interface Arc {
  path: string
  /** The middle of the slice, where a tooltip points. */
  middle: { x: number; y: number }
}

const FULL_TURN = 2 * Math.PI
/** A circle cannot be drawn as one arc, since its two ends are the same point. */
const ALMOST_FULL = FULL_TURN - 1e-4

const at = (angle: number, radius: number) => ({ x: Math.sin(angle) * radius, y: -Math.cos(angle) * radius })
const point = (angle: number, radius: number) => {
  const { x, y } = at(angle, radius)
  return `${x.toFixed(4)} ${y.toFixed(4)}`
}

/**
 * One arc for each share.
 * @param shares of the whole, 0 to 1, adding up to 1
 * @param hole the inner radius as a share of the outer one, 0 for a pie
 */
export function arcs(shares: readonly number[], hole: number): Arc[] {
  let from = 0
  return shares.map((share) => {
    const start = from
    const turn = Math.min(share * FULL_TURN, ALMOST_FULL)
    from += share * FULL_TURN
    return { path: arcPath(start, start + turn, hole), middle: at(start + turn / 2, (1 + hole) / 2) }
  })
}

function arcPath(from: number, to: number, hole: number): string {
  const large = to - from > Math.PI ? 1 : 0
  const outer = `M${point(from, 1)}A1 1 0 ${String(large)} 1 ${point(to, 1)}`
  if (hole === 0) return `${outer}L0 0Z`
  return `${outer}L${point(to, hole)}A${String(hole)} ${String(hole)} 0 ${String(large)} 0 ${point(from, hole)}Z`
}
