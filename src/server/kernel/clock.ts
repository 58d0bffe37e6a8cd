/** Time as the product sees it; tests may replace it, nothing else may. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
