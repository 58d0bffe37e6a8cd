import type { z } from 'zod'
import type { MetricAction } from '#contract/metrics.ts'

type Action = z.output<typeof MetricAction>

/** Opens a list with these filters, in this order or in its own. */
export const listAction = (model: string, filters: Action['filters'], order: Pick<Action, 'sort' | 'order'> = {}): Action => ({
  model,
  filters,
  search: '',
  ...order,
})
