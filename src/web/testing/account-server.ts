import { fileCalls, type AccountFile } from '#contract/account-files.ts'
import { accountCalls, type Account } from '#contract/accounts.ts'
import type { Status } from '#contract/statuses.ts'
import type { CheckState } from '#contract/checks.ts'
import { discrepancyCalls } from '#contract/discrepancies.ts'
import { initCalls } from '#contract/init.ts'
import { mapCalls } from '#contract/map.ts'
import { metricCalls, type Metric } from '#contract/metrics.ts'
import { registerSummaryCalls, type RegisterSummary } from '#contract/register-summary.ts'
import { fakeServer, onePage, type FakeServer } from './fake-server.ts'
import { COMPANY_ID, USER_ID, sessionWith } from './session.ts'

export const ACCOUNT_ID = '0198c0de-0000-7000-8000-0000000000a1'
const SUBMITTED: Status = { id: '0198c0de-0000-7000-8000-0000000000b1', name: 'Submitted', color: '#1976d2', state: null }
const BOUND: Status = { id: '0198c0de-0000-7000-8000-0000000000b2', name: 'Bound', color: '#2e7d32', state: null }

export function accountWith(more: Partial<Account> = {}): Account {
  return {
    id: ACCOUNT_ID,
    name: { value: 'Cascadia Portfolio', text: 'Cascadia Portfolio' },
    account_number: 'HP-117',
    type: 'standard',
    status: SUBMITTED,
    statuses: [SUBMITTED, BOUND],
    favorite: false,
    properties: 771,
    divested_properties: 3,
    tiv: 9_249_829_344,
    currency: 'USD',
    users: 4,
    files: { total: 12, disclosed: 9, sov: 3, size: { total: 4_096, disclosed: 3_072, sov: 1_024 } },
    share_link: null,
    via_invite: null,
    invite: null,
    active_invite: null,
    sharing_enabled: false,
    show_vanity_by_default: false,
    send_new_files_notification: false,
    file_retrieval_method: 'upload',
    broker: { id: null, name: 'Harbor Point Brokerage' },
    carrier: { id: null, name: 'Beacon Mutual' },
    managed_by: 'Harbor Point Brokerage',
    created_by: { id: USER_ID, full_name: 'Dana Whitfield', email: 'dana@harborpoint.example' },
    company: { id: COMPANY_ID, name: 'Cascadia Properties', logo_url: null },
    effective_date: '2026-12-01',
    expiration_date: null,
    meta: [{ label: 'Line', value: 'Property' }],
    website: null,
    version: 1,
    created_at: '2026-03-04T15:00:00.000Z',
    updated_at: '2026-03-05T15:00:00.000Z',
    deleted_at: null,
    accessible_features: { update: true, delete: true, update_status: true, upload: true, import: true, make_private: true },
    ...more,
  }
}

const NO_SUMMARY: RegisterSummary = {
  states: 0,
  countries: 0,
  country: null,
  valuation_bases: [],
  valued_from: null,
  valued_to: null,
  undated: 0,
  without_basis: 0,
}

export const metricWith = (more: Partial<Metric> = {}): Metric => ({
  title: 'Property Types',
  empty: 'Not enough data to render chart.',
  total: 0,
  counts: [],
  chart: { labels: [], datasets: [] },
  statistics: [],
  icon: { icon: 'building', type: 'none' },
  ...more,
})

export const archive = (more: Partial<AccountFile> = {}): AccountFile => ({
  id: '0198c0de-0000-7000-8000-0000000000c1',
  account_id: ACCOUNT_ID,
  file: { original_file_name: 'Cascadia.zip', type: 'application/zip', size: null },
  status: 'pending',
  folder: null,
  vanity_name: null,
  category: 'other',
  private: false,
  sov: false,
  provided_by_broker: false,
  covers_all_properties: false,
  report_author_date: null,
  age: null,
  current_until: null,
  properties: [],
  propertyIds: [],
  created_by: null,
  created_at: '2026-03-05T15:00:00.000Z',
  version: 1,
  file_number: 1,
  progress: { percentage_complete: 0, status: 'Waiting', files_processed: 0, total_files: 12 },
  url: null,
  text: null,
  accessible_features: { update: false, delete: false, preview: false, download: true },
  ...more,
})

export const checkState = (state: CheckState['state'], more: Partial<CheckState> = {}): CheckState => ({
  state,
  as_of: '2026-03-05T15:00:00.000Z',
  done: null,
  total: null,
  ...more,
})

/** A fake server with answers for every call of an account's overview; tests replace the answers they are about. */
export function accountServer(account: Account, session = sessionWith([])): FakeServer {
  return fakeServer()
    .on(initCalls.init, () => ({ data: session }))
    .on(accountCalls.show, () => ({ data: account }))
    .on(accountCalls.activity, () => onePage([]))
    .on(metricCalls.propertyTypes, () => ({ data: metricWith() }))
    .on(metricCalls.propertyTypesPie, () => ({ data: metricWith() }))
    .on(metricCalls.propertyLocations, () => ({ data: metricWith({ title: 'Property Locations' }) }))
    .on(metricCalls.reconciliation, () => ({ data: metricWith({ title: 'Reconciliation', empty: 'Everything is reconciled.' }) }))
    .on(discrepancyCalls.state, () => ({ data: checkState('current') }))
    .on(registerSummaryCalls.ofAccount, () => ({ data: NO_SUMMARY }))
    .on(mapCalls.ofAccount, () => ({ data: { markers: [], missing: null } }))
    .on(fileCalls.downloadable, () => ({ data: { documents: true, disclosed_documents: true, linked_documents: true, properties: true } }))
    .on(fileCalls.show, () => ({ data: archive() }))
}
