import type { MetricAction } from '#contract/metrics.ts'
import { visibleAccounts } from '#server/access/accounts.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import type { z } from 'zod'

type Action = z.output<typeof MetricAction>

/** Refuses an account that the viewer does not see, or that is in the trash, as not found. */
export async function assertAccount(ctx: Context, accountId: string): Promise<void> {
  const account = await ctx.db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where(visibleAccounts(ctx.viewer))
    .executeTakeFirst()
  if (account === undefined) throw notFound('Account')
}

/** Opens the account's active properties under further filters; null for those who may not open that list. */
export const propertiesAction = (
  ctx: Context,
  accountId: string,
  filters: Readonly<Record<string, string>>,
  order: Pick<Action, 'sort' | 'order'> = {},
): Action | null =>
  can(ctx.viewer, 'view_account_properties')
    ? { model: 'account_properties', filters: { filter__account_id: accountId, filter__status: 'active', ...filters }, ...order }
    : null
