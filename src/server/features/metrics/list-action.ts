import type { MetricAction } from '#contract/metrics.ts'

/** Opens a list with these filters, in this order or in its own. */
export const listAction = (
  model: string,
  filters: MetricAction['filters'],
  order: Pick<MetricAction, 'sort' | 'order'> = {},
): MetricAction => ({
  model,
  filters,
  search: '',
  ...order,
})
