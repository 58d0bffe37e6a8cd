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

const TIMES = 16

/** How many times as long a run takes for 16 times the size: about 16 times if its time grows with the size, 256 times with its square. */
export const growth = (run: (size: number) => void, size: number): number => fastest(run, TIMES * size) / fastest(run, size)

export const LINEAR_AT_MOST = 64
