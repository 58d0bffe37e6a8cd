import { LRUCache } from 'lru-cache'
import type { Metric } from '#contract/metrics.ts'

interface CachedMetric {
  metric: Metric
  /** The sum of the list versions from before the metric was computed. */
  version: number
  madeAt: number
}

const METRICS_MAX = 2_000

/** Metrics by name, account, viewer and permissions. */
export type MetricCache = LRUCache<string, CachedMetric>
export const createMetricCache = (): MetricCache => new LRUCache({ max: METRICS_MAX })
