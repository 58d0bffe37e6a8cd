import { flagCalls } from '#contract/flags.ts'
import { riskControlCalls } from '#contract/risk-control.ts'
import { signedIn } from '../support/people.ts'

const FORBIDDEN = 403

/** Addresses of flags and reports: few records have them, so that the walk would not find one by links. */
export async function rareRecords(base: string, signIn: { email: string; password: string }): Promise<string[]> {
  const client = await signedIn(base, signIn)
  const flags = await allowed(client(flagCalls.index))
  const reports = await allowed(client(riskControlCalls.index))
  return [
    ...flags.map(({ id }) => `/flags/${id}`),
    ...reports.map(({ id, account_id, property_id }) => `/accounts/${account_id}/properties/${property_id}/risk_control/${id}`),
  ]
}

/** Nothing, where the role cannot see these records. */
async function allowed<R>(answer: Promise<{ data: R[] }>): Promise<R[]> {
  try {
    return (await answer).data
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === FORBIDDEN) return []
    throw error
  }
}
