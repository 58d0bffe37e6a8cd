import type { InitData } from '#contract/init.ts'
import { groupPermissions, type PermissionName } from '#contract/permissions.ts'

export const USER_ID = '0198c0de-0000-7000-8000-000000000001'
export const COMPANY_ID = '0198c0de-0000-7000-8000-000000000002'

/** The session of a user of one company with exactly these permissions. */
export function sessionWith(permissions: readonly PermissionName[], user: Partial<InitData['auth_user']> = {}): InitData {
  return {
    auth_user: {
      id: USER_ID,
      full_name: 'Dana Whitfield',
      first_name: 'Dana',
      last_name: 'Whitfield',
      email: 'dana@harborpoint.example',
      company: { id: COMPANY_ID, name: 'Harbor Point Brokerage', logo_url: null, timezone: 'America/New_York' },
      roles: [],
      subscription: { id: '0198c0de-0000-7000-8000-000000000003', name: 'Professional', created_at: null, ends_at: null, term: null },
      via_invite: false,
      via_share_link: false,
      via_preview: false,
      ...user,
    },
    accessible_features: groupPermissions((name) => permissions.includes(name)),
    settings: { datatable: {}, dashboard: {} },
    config: {
      product: 'Plumbline',
      provider: 'the provider',
      support_phone: '+1 (555) 010-0199',
      support_email: 'support@plumbline.example',
      chat_url: '',
      learn_more_url: '',
      maps_key: '',
      map_style_url: '',
      map_tile_url: '',
      realtime: false,
    },
  }
}
