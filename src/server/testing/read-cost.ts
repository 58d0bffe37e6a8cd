import pg from 'pg'
import { vi } from 'vitest'
import type { TestApp } from './app.ts'

interface Step {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: Step[]
}
interface Explained {
  Plan: Step
  Serialization: { 'Output Volume': number }
}

const stepsOf = (step: Step): number =>
  (step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0) + (step['Rows Removed by Join Filter'] ?? 0)) * step['Actual Loops'] +
  (step.Plans ?? []).reduce((sum, part) => sum + stepsOf(part), 0)

/** How many rows the steps of all statements of a request handle, and what the database sends for it. */
export async function readCost(app: TestApp, request: () => Promise<unknown>): Promise<{ steps: number; sent: number }> {
  const query = vi.spyOn(pg.Client.prototype, 'query')
  await request()
  const sent = query.mock.calls.flatMap(statementsIn)
  query.mockRestore()
  const cost = { steps: 0, sent: 0 }
  for (const { text, values = [] } of sent.filter(({ text }) => /^\s*(with|select)/i.test(text))) {
    const explained = await app.asOwner(`EXPLAIN (ANALYZE, SERIALIZE TEXT, FORMAT JSON) ${text}`, values)
    const plans = explained.flatMap((row) => row['QUERY PLAN'] as Explained[]) // the format of EXPLAIN
    for (const { Plan, Serialization } of plans) {
      cost.steps += stepsOf(Plan)
      cost.sent += Serialization['Output Volume']
    }
  }
  return cost
}

interface Statement {
  text: string
  values?: unknown[]
}
/** The product passes a text with its values, a statement, or several statements for one round trip. */
function statementsIn([first, values]: unknown[]): Statement[] {
  if (typeof first === 'string') return [{ text: first, values: Array.isArray(values) ? values : [] }]
  const statement = first as Statement & { statements?: Statement[] } // the other two ways
  return statement.statements ?? [statement]
}
