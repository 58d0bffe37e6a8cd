import type { Recommendation } from '#contract/recommendations.ts'
import type { RiskControl, RiskControlRow } from '#contract/risk-control.ts'

/** The account of the fake server. */
const ACCOUNT_ID = '0198c0de-0000-7000-8000-0000000000a1'
export const REPORT_ID = '0198c0de-0000-7000-8000-0000000000c1'
export const PROPERTY = '0198c0de-0000-7000-8000-0000000000c2'
const RECOMMENDATION_ID = '0198c0de-0000-7000-8000-0000000000c3'

export const recommendation: Recommendation = {
  id: RECOMMENDATION_ID,
  number: '26-03-01',
  title: 'Repair the valve',
  description: null,
  category: 'sprinklers',
  priority: 'critical',
  type: null,
  status: 'open',
  issued_on: '2026-03-05',
  due_on: '2026-04-04',
  due: 'overdue',
  responsible: null,
  cost_estimate: null,
  loss_before: null,
  loss_after: null,
  completed_on: null,
  verified_on: null,
  verified_by: null,
  first_report: null,
  repeated_in: null,
  responses: [],
}

export const report: RiskControl = {
  id: REPORT_ID,
  account_id: ACCOUNT_ID,
  account_name: 'Cascadia Portfolio',
  property_id: PROPERTY,
  property: { title: 'Main mill', address: '1 Main St, Salem, OR', status: 'active' },
  currency: 'CAD',
  values: {
    report_number: 'RC-2026-001',
    title: 'Annual survey',
    survey_date: '2026-03-05',
    next_survey_due: '2126-03-05',
    pml_amount: 5,
    pml_percent: 18,
  },
  status: { id: '0198c0de-0000-7000-8000-0000000000c4', name: 'Issued', color: '#1976d2', draft: false },
  observed: [],
  recommendations: [recommendation],
  files: [],
  photos: [],
  created_by: null,
  version: 1,
  created_at: '2026-03-06T10:00:00.000Z',
  updated_at: '2026-03-06T10:00:00.000Z',
  deleted_at: null,
  accessible_features: { update: true, delete: true, respond: true },
}

const cell = (text: string) => ({ value: text, text })
export const reportRow: RiskControlRow = {
  id: REPORT_ID,
  account_id: ACCOUNT_ID,
  property_id: PROPERTY,
  deleted_at: null,
  is_new: false,
  report_number: cell('RC-2026-001'),
  title: cell('Annual survey'),
  property: cell('Main mill'),
  survey_date: cell('Mar 5, 2026'),
  survey_type: cell(''),
  surveyor: cell(''),
  overall_rating: cell('Good'),
  status: cell('Issued'),
  recommendations: cell('3 open, 1 overdue, 1 due soon'),
  next_survey_due: cell('Mar 5, 2029'),
  updated_at: cell('Mar 6, 2026'),
  open: 3,
  overdue: 1,
  due: 1,
}
