import type { Visit } from './visit.ts'

interface Finding {
  problem: string
  /** Where it is, as role and address. */
  places: string[]
}

/** The same problem on several pages is one finding, the most frequent first. */
export function findings(visits: readonly Visit[]): Finding[] {
  const places = new Map<string, Set<string>>()
  for (const { role, address, problems } of visits)
    for (const problem of problems) places.set(problem, (places.get(problem) ?? new Set()).add(`${role} ${address}`))
  return [...places]
    .map(([problem, found]) => ({ problem, places: [...found] }))
    .toSorted((left, right) => right.places.length - left.places.length)
}

const COLUMNS = ['role', 'addresses', 'visits', 'problems'] as const
type Line = Record<(typeof COLUMNS)[number], string>

/** A table of text with a line for each role. A visit is an address in one size and scheme. */
export function table(visits: readonly Visit[]): string {
  const roles = [...new Set(visits.map(({ role }) => role))]
  const lineOf = (role: string, own: readonly Visit[]): Line => ({
    role,
    addresses: String(own.length),
    visits: String(own.reduce((sum, { pictures }) => sum + pictures.length, 0)),
    problems: String(own.reduce((sum, { problems }) => sum + problems.length, 0)),
  })
  const head = Object.fromEntries(COLUMNS.map((name) => [name, name])) as Line // all columns are given
  const lines = [
    head,
    ...roles.map((role) =>
      lineOf(
        role,
        visits.filter((visit) => visit.role === role),
      ),
    ),
    lineOf('all', visits),
  ]
  return lines.map((line) => COLUMNS.map((name, at) => (at === 0 ? line[name].padEnd(16) : line[name].padStart(10))).join('')).join('\n')
}
