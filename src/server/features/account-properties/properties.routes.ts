import { propertyCalls } from '#contract/account-properties.ts'
import type { Context } from '#server/engines/context.ts'
import { listHandlers } from '#server/engines/datatable/list-routes.ts'
import { implement } from '#server/engines/http/answer.ts'
import { createProperty, updateProperty } from './properties.commands.ts'
import { propertyDatatable } from './properties.datatable.ts'
import { propertyForm } from './properties.form.ts'
import { presentProperty } from './properties.presenter.ts'
import { findProperty, openFindings, type PropertyRecord } from './properties.queries.ts'
import { destroyProperties, restoreProperties, trashProperties } from './trash.commands.ts'

const present = async (ctx: Context, record: PropertyRecord) => presentProperty(ctx.viewer, record, await openFindings(ctx, [record.id]))

export const propertyRoutes = implement(propertyCalls, {
  ...listHandlers(propertyDatatable, propertyCalls.index),
  form: async () => ({ data: propertyForm() }),
  editForm: async ({ ctx, params }) => ({ data: propertyForm(await findProperty(ctx, params.id)) }),
  show: async ({ ctx, params }) => ({ data: await present(ctx, await findProperty(ctx, params.id)) }),
  create: async ({ ctx, body }) => ({
    status: 201,
    data: await present(ctx, await createProperty(ctx, body)),
    message: 'The property was added.',
  }),
  update: async ({ ctx, params, body }) => ({
    data: await present(ctx, await updateProperty(ctx, params.id, body)),
    message: 'The property was saved.',
  }),
  trash: async ({ ctx, body }) => {
    await (body.force ? destroyProperties(ctx, body.ids) : trashProperties(ctx, body.ids))
    return { data: null, message: body.force ? 'Deleted for ever.' : 'Moved to the trash.' }
  },
  restore: async ({ ctx, body }) => {
    await restoreProperties(ctx, body.ids)
    return { data: null, message: 'Restored.' }
  },
})
