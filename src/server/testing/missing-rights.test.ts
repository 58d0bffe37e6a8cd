import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeUser } from './factories/people.ts'
import { addToAccount } from './factories/register.ts'
import { LEAK_PROBES } from './leak-probes.fixture.ts'
import { ISOLATED_MODELS } from './model-visibility.ts'
import { testTenant } from './tenants.fixture.ts'

const { app, tenant } = await testTenant()
/** Users with the role upload_only see the documents that they uploaded. */
const seesRecords = (role: string, model: string) => role !== 'upload_only' || model !== 'account_files'
const ROLES = ['broker', 'client', 'carrier', 'upload_only'] as const

it.each(ROLES.flatMap((role) => ISOLATED_MODELS.filter((model) => seesRecords(role, model)).map((model) => [role, model] as const)))(
  'a missing right of the role %s to %s is 403, for any record; a record that is not visible is 404 with the right',
  async (role, model) => {
    const user = await makeUser(app.system, { role, companyId: tenant.company.id })
    await addToAccount(app, tenant.account, user.id)
    const client = app.as(user.id)
    const unknownIds = { ...tenant.ids, [model]: randomUUID(), accounts: randomUUID() }
    for (const [at, page] of LEAK_PROBES[model].pages(tenant.ids).entries()) {
      const visible = (await client.get(`/api/v1${page}`)).status
      const unknown = (await client.get(`/api/v1${LEAK_PROBES[model].pages(unknownIds)[at] ?? ''}`)).status
      expect([200, 403], page).toContain(visible)
      // Rules of a record are known only after it was found.
      expect(unknown, page).toBe(visible === 200 ? 404 : page.startsWith('/forms/') && unknown === 404 ? 404 : 403)
    }
  },
)
