import type { Invite } from '#contract/account-invites.ts'
import { ACCOUNT_ID } from './account-server.ts'

const LINK = 'https://plumbline.example/invite/secret'

export const INVITE: Invite = {
  id: '0198c0de-0000-7000-8000-0000000000d1',
  invite_id: 'secret',
  link: LINK,
  login_link: LINK,
  name: 'Uma Ortiz',
  account_id: ACCOUNT_ID,
  account_name: 'Cascadia Portfolio',
  user_id: '0198c0de-0000-7000-8000-0000000000d2',
  invited_user: { full_name: 'Uma Ortiz', email: 'uma@surveyor.example' },
  first_name: 'Uma',
  last_name: 'Ortiz',
  email: 'uma@surveyor.example',
  company: 'Ortiz Surveying',
  company_id: null,
  role: 'invite_guest',
  role_label: 'Invited viewer',
  status: 'Active',
  expires_at: { date: '2026-12-24T12:00:00.000Z', human: 'Dec 24, 2026' },
  invited_by: 'Dana Whitfield',
  created_at: '2026-11-24T12:00:00.000Z',
  sent_at: null,
  accepted_at: null,
  last_used_at: null,
}
