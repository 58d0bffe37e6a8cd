import { z } from 'zod'
import { codesOf } from './code-lists.ts'
import { NOTIFICATIONS_SHOWN, PAGE_SIZE_MAX, RECOMMENDATION_DUE_SOON_DAYS } from './limits.ts'
import type { PermissionName } from './permissions.ts'
import { Id, Nothing, call, json, jsonWith } from './route.ts'

export const DELIVERIES = {
  page: 'On the page',
  email: 'Email now',
  digest: 'Daily email',
  off: 'Off',
} as const
export type Delivery = keyof typeof DELIVERIES

const ICONS = ['paperclip', 'archive', 'upload', 'flag', 'scale', 'shield', 'folder', 'user-plus', 'link', 'bell'] as const

interface Kind {
  label: string
  icon: (typeof ICONS)[number]
  /** Users without it get no notification of the kind, and do not see earlier ones. */
  needs: PermissionName
  /** How users get it until they choose. */
  standard: Delivery
  /** Nothing in the product sends it yet, so users are not offered a choice. */
  unused?: true
}

const kind = (label: string, icon: Kind['icon'], needs: PermissionName, standard: Delivery = 'page'): Kind => ({
  label,
  icon,
  needs,
  standard,
})
const unused = (...parts: Parameters<typeof kind>): Kind => ({ ...kind(...parts), unused: true })

/** What users are notified of. */
const NOTIFICATION_KINDS = {
  files_added: kind('New documents on an account', 'paperclip', 'view_account_files'),
  export_ready: kind('A download that you requested is ready', 'archive', 'download_files'),
  export_failed: kind('A download that you requested failed', 'archive', 'download_files'),
  properties_imported: kind('Properties were imported', 'upload', 'view_account_properties'),
  import_failed: kind('An import failed', 'upload', 'view_account_properties'),
  import_undone: kind('An import was undone', 'upload', 'view_account_properties'),
  property_flagged: kind('A property, document or report was flagged', 'flag', 'manage_flags'),
  flag_assigned: kind('A flag was assigned to you', 'flag', 'manage_flags', 'email'),
  flag_resolved: kind('A flag that you raised was closed', 'flag', 'manage_flags'),
  discrepancies_critical: kind('New critical discrepancies', 'scale', 'view_account_reconciliation_metric'),
  discrepancy_assigned: unused('A discrepancy was assigned to you', 'scale', 'resolve_discrepancies'),
  risk_control_added: kind('A risk control report was added', 'shield', 'view_risk_control'),
  recommendation_due: kind(`A recommendation is due within ${RECOMMENDATION_DUE_SOON_DAYS} days`, 'shield', 'view_risk_control'),
  recommendation_overdue: kind('A recommendation is overdue', 'shield', 'view_risk_control'),
  account_status: kind('The status of an account changed', 'folder', 'view_account_status'),
  managed_requested: kind('An account was handed over for setup', 'folder', 'manage_simple_accounts'),
  managed_assisted: kind('You are asked to collect documents', 'folder', 'manage_simple_accounts', 'email'),
  managed_cancelled: kind('A request to collect documents was canceled', 'folder', 'manage_simple_accounts'),
  managed_uploaded: kind('Documents wait to be organized', 'folder', 'manage_simple_accounts'),
  managed_ready: kind('A managed account is ready', 'folder', 'view_account_details'),
  invite_accepted: kind('An invitation was accepted', 'user-plus', 'view_account_invites'),
  invite_expiring: kind('An invitation expires soon', 'user-plus', 'view_account_invites'),
  share_link_opened: kind('A share link was opened', 'link', 'view_account_invites'),
  submission_due: kind('A submission with critical discrepancies takes effect soon', 'bell', 'view_account_reconciliation_metric', 'email'),
} as const satisfies Record<string, Kind>
export type NotificationKind = keyof typeof NOTIFICATION_KINDS
export const NOTIFICATION_KIND_NAMES = codesOf(NOTIFICATION_KINDS)
/** An entry of the table with its optional parts. */
export const notificationKind = (name: NotificationKind): Kind => NOTIFICATION_KINDS[name]

const LinkTarget = z.object({
  model: z.enum(['account_files', 'account_properties', 'imports', 'archives', 'discrepancies', 'flags', 'risk_control']),
  /** Null for the list of the account. */
  model_id: Id.nullable(),
  /** Of a risk control report: its address has both. */
  property_id: Id.optional(),
})
export const NotificationLink = z.object({ model: z.literal('accounts'), model_id: Id, child: LinkTarget.optional() })
export type NotificationLink = z.output<typeof NotificationLink>

/** The address that a notification opens, on the page and in mails. */
export function notificationAddress({ model_id: account, child }: NotificationLink): string {
  const base = `/accounts/${account}`
  const at = (list: string, tab: string) => (child?.model_id == null ? `${base}?tab=${tab}` : `${base}/${list}/${child.model_id}`)
  switch (child?.model) {
    case undefined:
      return base
    case 'account_files':
      return at('files', 'files')
    case 'account_properties':
      return at('properties', 'properties')
    case 'risk_control':
      return at(child.property_id === undefined ? 'risk_control' : `properties/${child.property_id}/risk_control`, 'properties')
    case 'imports':
      return `${base}/import`
    case 'archives':
      return '/downloads'
    case 'discrepancies':
      return `${base}?tab=properties&filter__severity=critical`
    case 'flags':
      return `${base}?tab=properties&filter__flagged=1`
  }
}

export const Notification = z.object({
  id: Id,
  message: z.string(),
  icon: z.enum(ICONS),
  type: z.enum(NOTIFICATION_KIND_NAMES),
  created_at: z.string(),
  link: NotificationLink.nullable(),
})
export type Notification = z.output<typeof Notification>

export const NotificationPreference = z.object({
  kind: z.enum(NOTIFICATION_KIND_NAMES),
  label: z.string(),
  delivery: z.enum(codesOf(DELIVERIES)),
})
export type NotificationPreference = z.output<typeof NotificationPreference>

export const notificationCalls = {
  index: call('GET', '/notifications', 'signed-in', 'Your notifications that you have not dismissed, newest first', {
    query: z.strictObject({
      view: z.literal('unread', 'Please send the view unread.').default('unread'),
      paginate: z.coerce.number('Please enter a number.').int().min(1).max(PAGE_SIZE_MAX).default(NOTIFICATIONS_SHOWN),
    }),
    /** The newest ones, `paginate` at most; `count` is of all. */
    output: jsonWith(z.array(Notification), z.object({ count: z.number() })),
  }),
  dismiss: call('PUT', '/notifications/:one_or_all', 'signed-in', 'Dismiss one of your notifications, or all', {
    params: z.strictObject({ one_or_all: z.union([z.literal('all'), Id]) }),
    /** With `all`, only those up to this time, so that none is dismissed that arrived after the page was loaded. */
    body: z.strictObject({ until: z.iso.datetime('Please send the time of the newest notification.').optional() }),
    output: jsonWith(Nothing, z.object({ dismissed_at: z.string() })),
  }),
  restore: call('POST', '/notifications/restore', 'signed-in', 'Show what you dismissed at a time again', {
    body: z.strictObject({ dismissed_at: z.iso.datetime('Please send the time of the dismissal.') }),
    output: json(Nothing),
  }),
  preferences: call('GET', '/notification-preferences', 'signed-in', 'How you get notifications of each kind', {
    output: json(z.array(NotificationPreference)),
  }),
  savePreferences: call('PUT', '/notification-preferences', 'signed-in', 'Choose how you get notifications', {
    body: z.strictObject({
      preferences: z.partialRecord(z.enum(NOTIFICATION_KIND_NAMES), z.enum(codesOf(DELIVERIES), 'Please choose one of the four ways.')),
    }),
    output: json(z.array(NotificationPreference)),
  }),
}
