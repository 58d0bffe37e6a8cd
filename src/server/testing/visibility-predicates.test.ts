import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { sql } from 'kysely'
import type { Model } from '#contract/models.ts'
import type { Viewer } from '#server/access/viewer.ts'
import type * as datatables from '#server/engines/datatable/define-datatable.ts'
import type { As, TestApp } from './app.ts'
import { LEAK_PROBES, probeAll } from './leak-probes.fixture.ts'
import { ISOLATED_MODELS, SHARED_PREDICATES } from './model-visibility.ts'
import type { Tenant } from './tenants.fixture.ts'

/** The model whose predicate always answers true. The leak probes must then find the leak, or the isolation tests prove nothing. */
let disabled: Model | undefined

let app: TestApp
let tenant: Tenant
let outsider: As

// The server is imported after its predicates are replaced.
beforeAll(async () => {
  for (const model of ISOLATED_MODELS) replacePredicate(model)
  replaceVisibleOfLists()
  const { testApp } = await import('./app.ts')
  const { makeOutsider, makeTenant } = await import('./tenants.fixture.ts')
  app = await testApp()
  tenant = await makeTenant(app)
  outsider = app.as((await makeOutsider(app)).id)
})
afterAll(() => app.stop())

function replacePredicate(model: (typeof ISOLATED_MODELS)[number]): void {
  const shared = SHARED_PREDICATES[model]?.predicate
  if (shared === undefined) return
  const { module, name } = shared
  vi.doMock(module, async (original) => {
    const real = (await original()) as Record<string, (...args: unknown[]) => unknown> // a module is its exports by name
    return { ...real, [name]: (...args: unknown[]) => (disabled === model ? sql`true` : real[name]?.(...args)) }
  })
}

function replaceVisibleOfLists(): void {
  vi.doMock('#server/engines/datatable/define-datatable.ts', async (original) => {
    const { defineDatatable, ...real } = await original<typeof datatables>()
    const replaced = <R extends { id: string }>(list: datatables.DatatableDefinition<R>) => {
      const visible = (viewer: Viewer) => (disabled === list.model ? sql<boolean>`true` : list.visible(viewer))
      return defineDatatable({ ...list, visible })
    }
    return { ...real, defineDatatable: replaced }
  })
}

async function modelsSeen(without: Model | undefined): Promise<Model[]> {
  disabled = without
  const seen = ISOLATED_MODELS.map(async (model) => ((await probeAll(outsider, model, tenant.ids)).seen.length > 0 ? [model] : []))
  return (await Promise.all(seen)).flat()
}

describe('the leak probes', () => {
  it('find no leak while every predicate is in place', async () => {
    expect(await modelsSeen(undefined)).toEqual([])
  })

  it.each(ISOLATED_MODELS)('find the leak when %s have no predicate', async (model) => {
    const exposed = [model, ...(SHARED_PREDICATES[model]?.alsoExposes ?? [])]
    expect(await modelsSeen(model)).toEqual(ISOLATED_MODELS.filter((other) => exposed.includes(other)))
  })

  it.each(ISOLATED_MODELS)('find the leak in the list and at the record when %s have no predicate', async (model) => {
    disabled = model
    const { seen } = await probeAll(outsider, model, tenant.ids)
    const [record] = LEAK_PROBES[model].pages(tenant.ids)
    expect(seen).toEqual(expect.arrayContaining([`/${model}`, record]))
  })
})
