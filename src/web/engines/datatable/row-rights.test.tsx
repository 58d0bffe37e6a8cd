import { screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { MODELS, declarationOf } from '#contract/models.ts'
import { PERMISSION_NAMES, isPermission, type PermissionName } from '#contract/permissions.ts'
import type { subscriptionCalls } from '#contract/subscriptions.ts'
import { modelCalls, type ListedModel } from '#web/data/models.ts'
import { fakeServer, onePage } from '#web/testing/fake-server.ts'
import { renderWithSession, resetPage } from '#web/testing/render.tsx'
import { sessionWith } from '#web/testing/session.ts'
import { tableColumn } from '#web/testing/table-column.ts'
import { Datatable } from './datatable.tsx'

/** Risk control reports are listed with their property, without a menu or a selection. */
const LISTED = (Object.keys(modelCalls) as ListedModel[]).filter((model) => model !== 'risk_control') // keys of the literal object

const neededFor = (model: ListedModel): PermissionName => {
  const { controlledBy = model, actionsWithList } = declarationOf(model)
  const needed = actionsWithList === true ? MODELS[model].list : `view_${controlledBy}_datatable_actions`
  if (!isPermission(needed)) throw new Error(`${needed} is not a permission.`)
  return needed
}

async function openList(model: ListedModel, permissions: readonly PermissionName[]) {
  const calls = modelCalls[model] as typeof subscriptionCalls // every list answers the same calls
  const name = { value: 'Harbor', text: 'Harbor' }
  const row = { id: '0198c0de-0000-7000-8000-000000000001', deleted_at: null, is_new: false, name }
  fakeServer()
    .on(calls.columns, () => ({ data: [tableColumn('name', 'Name', { primary: true })] }))
    .on(calls.filters, () => ({ data: [] }))
    .on(calls.actions, () => ({ data: [] }))
    .on(calls.index, () => onePage([row]) as never) // only the columns of this list
  renderWithSession(<Datatable model={model} label="records" basePath="/records" openIn="panel" />, { session: sessionWith(permissions) })
  await screen.findByText('Harbor')
  return [screen.queryByRole('checkbox', { name: 'Select Harbor' }), screen.queryByRole('button', { name: 'Actions for Harbor' })]
}

afterEach(resetPage)

describe.each(LISTED)('rows of %s', (model) => {
  it('have a checkbox and a menu with the permission for their actions', async () => {
    expect(await openList(model, [neededFor(model)])).not.toContain(null)
  })

  it('have neither without it, also for users who can edit and delete them', async () => {
    const others = PERMISSION_NAMES.filter((name) => name !== neededFor(model))
    expect(await openList(model, others)).toEqual([null, null])
  })
})
