import type { AccountRow } from '#contract/accounts.ts'
import type { Form } from '#contract/form.ts'
import type { Metric } from '#contract/metrics.ts'

export const ID = '0198c0de-0000-7000-8000-0000000000a1'

export const cell = (value: string | number) => ({ value, text: String(value) })
export const ROW: AccountRow = {
  id: ID,
  deleted_at: null,
  is_new: false,
  name: cell('Cascadia Portfolio'),
  account_number: cell('HP-117'),
  company: cell('Cascadia'),
  status: { ...cell('Bound'), class: '#2e7d32' },
  type: cell('Standard'),
  properties: cell(771),
  tiv: cell('$9,249,829,344'),
  currency: 'USD',
  documents: cell(12),
  effective_date: cell(''),
  created_at: cell('2026-03-04T15:00:00.000Z'),
  updated_at: cell('2026-03-05T15:00:00.000Z'),
  favorite: false,
}
export const FORM: Form = {
  model: 'accounts',
  id: null,
  title: 'Account',
  version: null,
  sections: [{ title: '', fields: [{ name: 'name', label: 'Account name', type: 'text', value: '', required: true }] }],
}
export const TOTALS: Metric = {
  title: 'Harbor Point Brokerage',
  empty: '',
  total: 1,
  counts: [],
  chart: { labels: [], datasets: [] },
  statistics: [
    {
      key: 'accounts',
      label: 'Accounts',
      count: 1,
      display_count: '1',
      help: '',
      severity: 'none',
      action: { model: 'accounts', filters: {}, search: '' },
    },
  ],
  icon: { icon: 'building', type: 'none' },
}
