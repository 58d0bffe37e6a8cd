import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { MODELS, declarationOf } from '#contract/models.ts'
import { PERMISSION_NAMES, isPermission, type PermissionName } from '#contract/permissions.ts'
import { subscriptionCalls } from '#contract/subscriptions.ts'
import { modelCalls, type ListedModel } from '#web/data/models.ts'
import { errorAnswer, fakeServer, onePage } from '#web/testing/fake-server.ts'
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

it('a list with a filter that the user may not use says so without ids, and shows its rows without the filter', async () => {
  const reason = 'You do not have permission to filter this list by Role.'
  const row = { id: '0198c0de-0000-7000-8000-000000000001', deleted_at: null, is_new: false, name: { value: 'Harbor', text: 'Harbor' } }
  fakeServer()
    .on(subscriptionCalls.columns, () => ({ data: [tableColumn('name', 'Name', { primary: true })] }))
    .on(subscriptionCalls.index, ({ query }) =>
      query['filter__role'] === undefined ? (onePage([row]) as never) : errorAnswer('forbidden', reason),
    ) // only the columns of this list
  const element = <Datatable model="subscriptions" label="records" basePath="/records" openIn="panel" />
  const path = `/subscriptions?filter__role=${row.id}`
  const { user } = renderWithSession(element, { session: sessionWith(['view_subscriptions_component']), path })
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(`${reason}Clear the filter to see the list.`))
  await user.click(screen.getByRole('button', { name: 'Clear filter Role not available' }))
  expect(await screen.findByText('Harbor')).toBeDefined()
})
