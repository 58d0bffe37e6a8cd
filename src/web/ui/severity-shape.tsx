import IconAlertTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertTriangleFilled.mjs'
import IconHexagonFilled from '@tabler/icons-react/dist/esm/icons/IconHexagonFilled.mjs'
import IconInfoCircleFilled from '@tabler/icons-react/dist/esm/icons/IconInfoCircleFilled.mjs'
import type { Severity } from '#contract/checks.ts'

const SHAPES = { critical: IconHexagonFilled, warning: IconAlertTriangleFilled, info: IconInfoCircleFilled } as const satisfies Record<
  Severity,
  unknown
>

/** Each severity has its own shape, so that it doesn't depend on color. */
export function SeverityShape({ severity, size = 13 }: { severity: Severity; size?: number }) {
  const Shape = SHAPES[severity]
  return <Shape size={size} color={`var(--${severity})`} data-shape={severity} aria-hidden />
}
