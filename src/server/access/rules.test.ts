import { describe, expect, it } from 'vitest'
import { DEFAULT_ROLE_NAMES, type DefaultRole } from '#contract/default-roles.ts'
import { FLAG_REOPEN_MS } from '#contract/limits.ts'
import { defaultPermissions, PERMISSION_NAMES, type PermissionName } from '#contract/permissions.ts'
import { ATTENTION, isAttention } from '#contract/submissions.ts'
import { canNeed } from './account-attention.ts'
import { fileRules } from './account-files.ts'
import { propertyRules } from './account-properties.ts'
import { accountRules, seesPrivateFiles } from './accounts.ts'
import { companyRules } from './companies.ts'
import { discrepancyRules, seesDiscrepancies } from './discrepancies.ts'
import { flagRules } from './flags.ts'
import { riskControlRules } from './risk-control.ts'
import { isRequiredRole, roleRules } from './roles.ts'
import { principals, rulesFrom, seesAllCompanies, seesOwnFilesOnly } from './scope.ts'
import { mayGive, userRules } from './users.ts'
import { ANONYMOUS, SYSTEM, can, viewerName, type SignedIn, type Viewer } from './viewer.ts'

const viewer = (...roles: DefaultRole[]): SignedIn => ({
  kind: 'user',
  userId: 'me',
  fullName: 'Ada King',
  firstName: 'Ada',
  lastName: 'King',
  email: 'ada@example.test',
  companyId: 'mine',
  companyName: 'Mine',
  logoId: null,
  timezone: 'America/New_York',
  roles: roles.map((name) => ({ id: name, name, label: name })),
  permissions: new Set<PermissionName>(roles.flatMap(defaultPermissions)),
  previousLoginAt: null,
  challenged: false,
  rightsKey: 'rights',
})
const admin = viewer('admin')
const without = (name: PermissionName): SignedIn => ({ ...admin, permissions: new Set(PERMISSION_NAMES.filter((other) => other !== name)) })
const GONE = new Date()
const NOW = new Date('2026-03-05T12:00:00Z')
const FLAG = { source: 'user', status: 'open', raised_by: 'me', assigned_to: 'me', closed_at: null, is_active: true }
const CLOSED_FLAG = { ...FLAG, status: 'resolved', closed_at: NOW }
const allowed = (rules: Record<string, boolean>) => Object.keys(rules).filter((name) => rules[name] === true)

describe('a permission', () => {
  it('is denied to users with a pending second factor and to anonymous viewers', () => {
    const admin = viewer('admin')
    expect(PERMISSION_NAMES.every((name) => can(admin, name))).toBe(true)
    expect(PERMISSION_NAMES.some((name) => can({ ...admin, challenged: true }, name) || can(ANONYMOUS, name))).toBe(false)
    expect(PERMISSION_NAMES.every((name) => can(SYSTEM, name))).toBe(true)
  })

  it('can only be given by a user who has it', () => {
    expect(mayGive(viewer('admin'), defaultPermissions('provider'))).toBe(true)
    expect(mayGive(viewer('broker'), defaultPermissions('client'))).toBe(true)
    expect(mayGive(viewer('client'), defaultPermissions('broker'))).toBe(false)
    expect(mayGive(viewer('provider'), defaultPermissions('admin'))).toBe(false)
    expect(mayGive(viewer('admin'), ['fly'])).toBe(false)
    expect(mayGive(ANONYMOUS, [])).toBe(false)
  })
})

describe('a rule', () => {
  type Rules = Record<string, boolean>
  /** The rules for records with which a user with every permission can do everything, and the permissions that each of them needs. */
  const RECORDS: [name: string, rules: (viewer: Viewer, deleted_at: Date | null) => Rules, needs: Record<string, PermissionName[]>][] = [
    [
      'an account',
      (of, deleted_at) => accountRules(of, { type: 'standard', company_id: 'mine', deleted_at }),
      {
        update: ['update_accounts'],
        delete: ['delete_accounts'],
        update_status: ['update_account_status'],
        upload: ['upload_account_files'],
        import: ['bulk_upload_account_properties'],
        make_private: ['update_account_files'],
      },
    ],
    [
      'a property',
      (of, deleted_at) => propertyRules(of, { status: 'active', deleted_at }),
      { update: ['update_account_properties'], delete: ['delete_account_properties'], divest: ['update_account_properties'] },
    ],
    [
      'a document',
      (of, deleted_at) => fileRules(of, { created_by: 'other', deleted_at }),
      {
        update: ['update_account_files'],
        delete: ['delete_account_files'],
        preview: ['preview_files'],
        download: ['download_files'],
      },
    ],
    [
      'a risk control report',
      (of, deleted_at) => riskControlRules(of, { deleted_at }),
      { update: ['update_risk_control'], delete: ['delete_risk_control'], respond: ['respond_risk_control'] },
    ],
    [
      'a company',
      (of, deleted_at) => companyRules(of, { id: 'other', deleted_at }),
      { update: ['update_companies'], delete: ['delete_companies'] },
    ],
    [
      'a user',
      (of, deleted_at) => userRules(of, { id: 'other', permissions: [], deleted_at }),
      { update: ['update_users'], delete: ['delete_users'] },
    ],
    [
      'a role',
      (of, deleted_at) => roleRules(of, { name: 'adjuster', company_id: 'mine', permissions: [], deleted_at }),
      { update: ['update_roles'], delete: ['delete_roles'] },
    ],
    [
      'an open flag',
      (of) => flagRules(of, FLAG, NOW),
      { update: ['manage_flags'], edit_message: ['manage_flags'], acknowledge: ['manage_flags'], close: ['manage_flags'] },
    ],
    ['a closed flag', (of) => flagRules(of, CLOSED_FLAG, NOW), { reopen: ['manage_flags'] }],
    [
      'a discrepancy',
      (of) => discrepancyRules(of, { status: 'open', severity: 'info' }),
      {
        accepted: ['update_account_properties', 'resolve_discrepancies'],
        kept: ['resolve_discrepancies'],
        waived: ['resolve_discrepancies'],
      },
    ],
  ]
  const admin = viewer('admin')
  const without = (name: PermissionName): SignedIn => ({
    ...admin,
    permissions: new Set(PERMISSION_NAMES.filter((other) => other !== name)),
  })

  it.each(RECORDS)('of %s needs its permissions and no other', (_name, rules, needs) => {
    const every = rules(admin, null)
    expect(allowed(every)).toEqual(Object.keys(needs))
    for (const [rule, permissions] of Object.entries(needs)) {
      expect(
        PERMISSION_NAMES.filter((name) => rules(without(name), null)[rule] !== true),
        rule,
      ).toEqual(permissions)
      expect(rules({ ...viewer(), permissions: new Set(permissions) }, null)[rule], rule).toBe(true)
    }
    expect(allowed(rules({ ...admin, challenged: true }, null))).toEqual([])
    expect(allowed(rules(ANONYMOUS, null))).toEqual([])
  })

  const deletable = RECORDS.filter(([, , needs]) => needs['delete'] !== undefined)
  it.each(deletable)('of %s in the trash allows only to delete it', (_name, rules) => {
    expect(allowed(rules(admin, GONE))).toEqual(['delete'])
  })
})

describe('a flag', () => {
  it.each([
    ['of the system', ['update', 'acknowledge', 'close'], { source: 'system' }],
    ['that is acknowledged', ['update', 'edit_message', 'close'], { status: 'acknowledged' }],
    ['of another user', ['update', 'acknowledge', 'close'], { raised_by: 'other' }],
    ['assigned to another user', ['update', 'edit_message', 'close'], { assigned_to: 'other' }],
    ['on a divested property', ['update', 'edit_message', 'acknowledge', 'close'], { is_active: false }],
  ])('%s allows %j', (_name, rules, state) => {
    expect(allowed(flagRules(admin, { ...FLAG, ...state }, NOW))).toEqual(rules)
  })

  it.each([
    ['30 days ago', ['reopen'], { closed_at: new Date(NOW.getTime() - FLAG_REOPEN_MS) }],
    ['longer than 30 days ago', [], { closed_at: new Date(NOW.getTime() - FLAG_REOPEN_MS - 1) }],
    ['on a property that is divested', [], { is_active: false }],
    ['and is of the system', [], { source: 'system' }],
  ])('that was closed %s allows %j', (_name, rules, state) => {
    expect(allowed(flagRules(admin, { ...CLOSED_FLAG, ...state }, NOW))).toEqual(rules)
  })

  it('is not acknowledged by the product, which is no user', () => {
    expect(allowed(flagRules(SYSTEM, { ...FLAG, assigned_to: null }, NOW))).not.toContain('acknowledge')
  })
})

describe('an account', () => {
  const standard = { type: 'standard', company_id: 'mine', deleted_at: null }
  it.each([
    ['admin', ['update', 'delete', 'update_status', 'upload', 'import', 'make_private']],
    ['broker', ['update', 'delete', 'update_status', 'upload', 'import', 'make_private']],
    ['client', ['update', 'upload', 'import', 'make_private']],
    ['carrier', []],
    ['upload_only', ['upload']],
    ['share_guest', []],
  ] satisfies [DefaultRole, string[]][])('gives a %s these rules: %j', (role, may) => {
    expect(allowed(accountRules(viewer(role), standard))).toEqual(may)
  })

  it('that is managed gets its status only from the provider', () => {
    const managed = { type: 'managed', company_id: 'mine', deleted_at: null }
    expect(['admin', 'provider', 'broker'].map((role) => accountRules(viewer(role as DefaultRole), managed).update_status)).toEqual([
      true,
      true,
      false,
    ])
  })

  it('is deleted only by its own company and by users who see all companies', () => {
    const foreign = { ...standard, company_id: 'theirs' }
    expect(allowed(accountRules(viewer('broker'), foreign))).toEqual(['update', 'update_status', 'upload', 'import'])
    expect(accountRules(viewer('provider'), foreign).delete).toBe(accountRules(viewer('provider'), standard).delete)
    expect(accountRules(viewer('admin'), foreign).delete).toBe(true)
  })

  it('in the trash can only be deleted', () => {
    expect(allowed(accountRules(viewer('admin'), { ...standard, deleted_at: GONE }))).toEqual(['delete'])
  })
})

describe('what accounts need', () => {
  it('is known to users with the permissions to see it', () => {
    const kinds = Object.keys(ATTENTION).filter(isAttention)
    const needs = kinds.map((kind) => [kind, PERMISSION_NAMES.filter((name) => !canNeed(without(name), kind))] as const)
    expect(Object.fromEntries(needs.filter(([, permissions]) => permissions.length > 0))).toEqual({
      critical: ['view_account_reconciliation_metric', 'view_account_properties'],
      check: ['view_account_reconciliation_metric', 'view_account_properties'],
      unchecked: ['view_account_reconciliation_metric', 'view_account_properties'],
      flagged: ['manage_flags'],
      no_documents: ['view_account_files'],
      setup_requested: ['manage_simple_accounts'],
      open_import: ['bulk_upload_account_properties'],
    })
    expect(kinds.filter((kind) => canNeed({ ...viewer(), permissions: new Set() }, kind))).toEqual([
      'due_30',
      'due_60',
      'due_90',
      'overdue',
      'no_date',
      'no_properties',
    ])
  })
})

describe('a property', () => {
  it('can be divested once, and not while it is in the trash', () => {
    const broker = viewer('broker')
    expect(propertyRules(broker, { status: 'active', deleted_at: null }).divest).toBe(true)
    expect(propertyRules(broker, { status: 'divested', deleted_at: null }).divest).toBe(false)
    expect(allowed(propertyRules(broker, { status: 'active', deleted_at: GONE }))).toEqual(['delete'])
    expect(allowed(propertyRules(viewer('carrier'), { status: 'active', deleted_at: null }))).toEqual([])
  })
})

describe('a document', () => {
  const mine = { deleted_at: null, created_by: 'me' }
  const others = { deleted_at: null, created_by: 'other' }
  it('can be opened with the permission, and downloaded by upload-only users if it is their own', () => {
    expect(allowed(fileRules(viewer('carrier'), others))).toEqual(['preview', 'download'])
    expect(allowed(fileRules(viewer('upload_only'), mine))).toEqual(['download'])
    expect(allowed(fileRules(viewer('upload_only'), others))).toEqual([])
    expect(allowed(fileRules(viewer('broker'), { ...mine, deleted_at: GONE }))).toEqual(['delete'])
  })

  it('that is private is visible to the account’s company and the provider, if they can change documents', () => {
    const seeing = DEFAULT_ROLE_NAMES.filter((role) => seesPrivateFiles(viewer(role), { company_id: 'mine' }))
    expect(seeing).toEqual(['admin', 'provider', 'broker', 'client'])
    expect(DEFAULT_ROLE_NAMES.filter((role) => seesPrivateFiles(viewer(role), { company_id: 'other' }))).toEqual(['admin', 'provider'])
    expect(seesPrivateFiles(ANONYMOUS, { company_id: 'mine' })).toBe(false)
  })
})

describe('a discrepancy', () => {
  it('that is critical can be waived by provider and broker, not by the client or carrier', () => {
    const critical = { status: 'open', severity: 'critical' }
    expect(allowed(discrepancyRules(viewer('broker'), critical))).toEqual(['accepted', 'kept', 'waived'])
    expect(allowed(discrepancyRules(viewer('client'), critical))).toEqual(['accepted', 'kept'])
    expect(allowed(discrepancyRules(viewer('client'), { status: 'open', severity: 'info' }))).toEqual(['accepted', 'kept', 'waived'])
    expect(allowed(discrepancyRules(viewer('broker'), { status: 'fixed', severity: 'info' }))).toEqual([])
    expect(allowed(discrepancyRules(viewer('broker'), { status: 'obsolete', severity: 'info' }))).toEqual([])
    expect(allowed(discrepancyRules(SYSTEM, critical))).toEqual([])
    expect(allowed(discrepancyRules(viewer('client', 'broker'), critical))).toEqual(['accepted', 'kept', 'waived'])
  })

  it('can be accepted only by a user who can change properties', () => {
    const deciding = { ...viewer('client'), permissions: new Set<PermissionName>(['resolve_discrepancies']) }
    expect(allowed(discrepancyRules(deciding, { status: 'open', severity: 'info' }))).toEqual(['kept', 'waived'])
  })

  it('is visible with both permissions, those of properties and of the metric', () => {
    const both = ['view_account_properties', 'view_account_reconciliation_metric'] as const
    const having = (names: readonly PermissionName[]) => seesDiscrepancies({ ...viewer(), permissions: new Set(names) })
    expect([having(both), having(both.slice(0, 1)), having(both.slice(1))]).toEqual([true, false, false])
  })
})

describe('a role', () => {
  const role = { name: 'adjuster', company_id: 'mine', permissions: ['view_help_request'], deleted_at: null }
  const only = (...names: PermissionName[]): SignedIn => ({
    ...viewer(),
    permissions: new Set<PermissionName>(['view_help_request', ...names]),
  })

  it('can be changed and deleted with the permission for each', () => {
    expect(allowed(roleRules(only('update_roles'), role))).toEqual(['update'])
    expect(allowed(roleRules(only('delete_roles'), role))).toEqual(['delete'])
    expect(allowed(roleRules(viewer('admin'), { ...role, deleted_at: GONE }))).toEqual(['delete'])
  })

  it('with more permissions than the viewer can be neither changed nor deleted', () => {
    const more = { ...role, permissions: ['view_help_request', 'delete_users'] }
    expect(allowed(roleRules(only('update_roles', 'delete_roles'), more))).toEqual([])
  })

  it('that the product needs can be changed but not deleted; a company’s role of the same name can', () => {
    const required = { ...role, name: 'upload_only', company_id: null }
    expect(allowed(roleRules(viewer('admin'), required))).toEqual(['update'])
    expect(isRequiredRole({ name: 'upload_only', company_id: 'mine' })).toBe(false)
    expect(isRequiredRole({ name: 'adjuster', company_id: null })).toBe(false)
  })
})

describe('a record of the system', () => {
  it('can be changed and deleted with the permission for each, and only deleted while it is in the trash', () => {
    const rules = rulesFrom({ update: 'update_subscriptions', delete: 'delete_subscriptions' })
    const admin = viewer('admin')
    expect(allowed(rules(admin, { deleted_at: null }))).toEqual(['update', 'delete'])
    expect(allowed(rules(admin, { deleted_at: GONE }))).toEqual(['delete'])
    expect(allowed(rules({ ...admin, permissions: new Set(['update_subscriptions']) }, { deleted_at: null }))).toEqual(['update'])
    expect(allowed(rules({ ...admin, permissions: new Set(['delete_subscriptions']) }, { deleted_at: null }))).toEqual(['delete'])
  })
})

describe('a company', () => {
  it('can be changed with the permission, but not while it is in the trash', () => {
    const company = { id: 'other', deleted_at: null }
    expect(allowed(companyRules(viewer('admin'), company))).toEqual(['update', 'delete'])
    expect(allowed(companyRules(viewer('admin'), { ...company, deleted_at: GONE }))).toEqual(['delete'])
    expect(allowed(companyRules(viewer('upload_only'), company))).toEqual([])
    expect(allowed(companyRules(SYSTEM, company))).toEqual(['update', 'delete'])
  })
})

describe('users', () => {
  it('cannot delete themselves or their own company', () => {
    const admin = viewer('admin')
    const user = (id: string) => ({ id, deleted_at: null, permissions: [] })
    expect(userRules(admin, user('me')).delete).toBe(false)
    expect(userRules(admin, user('other')).delete).toBe(true)
    expect(companyRules(admin, { id: 'mine', deleted_at: null }).delete).toBe(false)
    expect(companyRules(admin, { id: 'other', deleted_at: null }).delete).toBe(true)
  })

  it('cannot be changed by users with fewer permissions', () => {
    const holding = (role: DefaultRole) => ({ id: 'other', deleted_at: null, permissions: defaultPermissions(role) })
    expect(allowed(userRules(viewer('provider'), holding('admin')))).toEqual([])
    expect(allowed(userRules(viewer('admin'), holding('admin')))).toEqual(['update', 'delete'])
    expect(allowed(userRules(viewer('broker'), holding('client')))).toEqual(['update'])
  })

  it('see the accounts of their company only with view_company_accounts', () => {
    expect(principals(viewer('broker'))).toEqual(['mine', 'me'])
    expect(principals(viewer('upload_only'))).toEqual(['me'])
    expect(principals(ANONYMOUS)).toEqual([])
  })

  it('see all companies only with the permission; the product always does', () => {
    expect([viewer('provider'), viewer('broker'), ANONYMOUS, SYSTEM].map(seesAllCompanies)).toEqual([true, false, false, true])
  })

  it('in the trash cannot be changed', () => {
    expect(allowed(userRules(viewer('admin'), { id: 'other', deleted_at: GONE, permissions: [] }))).toEqual(['delete'])
  })

  it('see only their own uploads if upload_only is their only role', () => {
    expect(seesOwnFilesOnly(viewer('upload_only'))).toBe(true)
    expect(seesOwnFilesOnly(viewer('upload_only', 'carrier'))).toBe(false)
    expect(seesOwnFilesOnly(viewer())).toBe(false)
  })

  it('are named in activity lines; the product is named where no user acts', () => {
    expect([viewerName(viewer('broker')), viewerName(SYSTEM, 'Plumbline')]).toEqual(['Ada King', 'Plumbline'])
    expect([viewerName(viewer('broker'), 'Plumbline'), viewerName(SYSTEM)]).toEqual(['Ada King', 'The system'])
    const via = { grantId: '', accountId: '', preview: false, kind: 'invite' } as const
    expect(viewerName({ ...viewer('client'), via })).toBe('ada@example.test (guest)')
  })
})
