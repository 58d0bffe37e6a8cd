import { DAY_MS } from '#contract/limits.ts'

/** The demo's own today: everything in it happened before, on fixed days, so that it looks the same whenever it is made. */
const DEMO_DAY = Date.UTC(2026, 8, 30, 15)

/** So many days before the demo's today, never later than the real one. */
export function daysAgo(days: number, now: Date): Date {
  return new Date(Math.min(DEMO_DAY, now.getTime()) - days * DAY_MS)
}

export const dayAgo = (days: number, now: Date): string => daysAgo(days, now).toISOString().slice(0, 10)

/** A policy year that begins so many days after the demo's today. */
export function termFrom(days: number): { effective_date: string; expiration_date: string } {
  const begin = new Date(DEMO_DAY + days * DAY_MS).toISOString().slice(0, 10)
  return { effective_date: begin, expiration_date: `${Number(begin.slice(0, 4)) + 1}${begin.slice(4)}`.replace('-02-29', '-02-28') }
}
