import { sql, type Expression, type SqlBool } from 'kysely'
import { expect, it } from 'vitest'
import { MODELS, type Model } from '#contract/models.ts'
import { ISOLATED_MODELS, SHARED_PREDICATES } from '#server/testing/model-visibility.ts'
import { testTenant } from '#server/testing/tenants.fixture.ts'
import { visibleInCompany } from './scope.ts'
import { ANONYMOUS, SYSTEM, type Viewer } from './viewer.ts'

const { app } = await testTenant()
/** Those whose table has another name. */
const TABLES: Readonly<Partial<Record<Model, string>>> = { property_imports: 'imports', account_invites: 'account_grants' }
type Predicate = (viewer: Viewer) => Expression<SqlBool>

/** The predicate of a model, or that of models with a company. */
async function predicateOf(model: (typeof ISOLATED_MODELS)[number]): Promise<Predicate> {
  const shared = SHARED_PREDICATES[model]?.predicate
  if (shared === undefined) return visibleInCompany(model, MODELS[model].list)
  const module = (await import(shared.module)) as Record<string, Predicate> // a module is its exports by name
  const predicate = module[shared.name]
  if (predicate === undefined) throw new Error(`${shared.module} has no ${shared.name}`)
  return predicate
}

it.each(ISOLATED_MODELS)(
  'the visibility of %s is false, not unknown, without a sign-in, so that conditions can negate it',
  async (model) => {
    const visible = await predicateOf(model)
    const table = sql.table(TABLES[model] ?? model)
    const count = async (condition: Expression<SqlBool>) =>
      (await sql`SELECT 1 FROM ${table} WHERE ${condition}`.execute(app.system.db)).rows.length
    const all = await count(sql<SqlBool>`true`)
    expect(all).toBeGreaterThan(0)
    expect(await count(visible(SYSTEM))).toBe(all)
    expect(await count(sql<SqlBool>`NOT (${visible(ANONYMOUS)})`)).toBe(all)
  },
)
