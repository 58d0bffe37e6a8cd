const ROUNDS = 5
/** A clock of whole milliseconds measures this long with a small error. */
const MEASURED_MS = 30

/** Milliseconds of one run in the fastest of a few rounds, which other programs have disturbed least. */
function fastest(run: (size: number) => void, size: number): number {
  const round = () => {
    const begun = Date.now()
    let runs = 0
    while (Date.now() - begun < MEASURED_MS) {
      run(size)
      runs += 1
    }
    return (Date.now() - begun) / runs
  }
  return Math.min(...Array.from({ length: ROUNDS }, round))
}

/** How many times as long a run takes for four times the size: about 4 times if its time grows with the size, 16 times with its square. */
export const growth = (run: (size: number) => void, size: number): number => fastest(run, 4 * size) / fastest(run, size)

export const LINEAR_AT_MOST = 9
