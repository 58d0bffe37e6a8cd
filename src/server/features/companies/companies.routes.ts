import { companyCalls } from '#contract/companies.ts'
import { listHandlers } from '#server/engines/datatable/list-routes.ts'
import { implement } from '#server/engines/http/answer.ts'
import { createCompany, restoreCompanies, trashCompanies, updateCompany } from './companies.commands.ts'
import { companyDatatable } from './companies.datatable.ts'
import { companyForm } from './companies.form.ts'
import { presentCompany } from './companies.presenter.ts'
import { findCompany } from './companies.queries.ts'

export const companyRoutes = implement(companyCalls, {
  ...listHandlers(companyDatatable, companyCalls.index),
  form: async ({ ctx }) => ({ data: await companyForm(ctx) }),
  editForm: async ({ ctx, params }) => ({ data: await companyForm(ctx, await findCompany(ctx, params.id)) }),
  show: async ({ ctx, params }) => ({ data: presentCompany(ctx.viewer, await findCompany(ctx, params.id)) }),
  create: async ({ ctx, body }) => ({
    status: 201,
    data: presentCompany(ctx.viewer, await createCompany(ctx, body)),
    message: 'The company was created.',
  }),
  update: async ({ ctx, params, body }) => ({
    data: presentCompany(ctx.viewer, await updateCompany(ctx, params.id, body)),
    message: 'The company was saved.',
  }),
  trash: async ({ ctx, body }) => {
    await trashCompanies(ctx, body.ids, body.force)
    return { data: null, message: body.force ? 'Deleted for ever.' : 'Moved to the trash.' }
  },
  restore: async ({ ctx, body }) => {
    await restoreCompanies(ctx, body.ids)
    return { data: null, message: 'Restored.' }
  },
})
