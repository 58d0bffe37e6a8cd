import type { z } from 'zod'
import type { MetricAction } from '#contract/metrics.ts'
import { can } from '#server/access/viewer.ts'
import type { Context } from '#server/engines/context.ts'

type Action = z.output<typeof MetricAction>

/** Opens the list of the account's active properties with further filters; null for viewers without permission to open it. */
export const propertiesAction = (
  ctx: Context,
  accountId: string,
  filters: Readonly<Record<string, string>>,
  order: Pick<Action, 'sort' | 'order'> = {},
): Action | null =>
  can(ctx.viewer, 'view_account_properties')
    ? { model: 'account_properties', filters: { filter__account_id: accountId, filter__status: 'active', ...filters }, ...order }
    : null
