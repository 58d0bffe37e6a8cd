import { screen } from '@testing-library/react'
import { MODELS } from '#contract/models.ts'
import { type PermissionName } from '#contract/permissions.ts'
import { modelCalls, type FormModel, type Records } from '#web/data/models.ts'
import { fakeServer, onePage, type FakeServer } from './fake-server.ts'
import { renderApp } from './render-app.tsx'
import { sessionWith } from './session.ts'

/** Opens the panel of a record over the empty list of its model and returns it with the server, which the test closes. */
export async function openRecordPanel<M extends FormModel>(
  model: M,
  record: Records[M] & { id: string },
  title: string,
  permissions: readonly PermissionName[] = [],
): Promise<{ panel: HTMLElement; server: FakeServer }> {
  const { show, index, columns } = modelCalls[model]
  const server = fakeServer()
    .on(show, () => ({ data: record }))
    .on(index, () => onePage([]))
    .on(columns, () => ({ data: [] }))
  renderApp(`/${model}/${record.id}`, sessionWith([MODELS[model].list, ...permissions]))
  return { panel: await screen.findByRole('dialog', { name: title }), server }
}
