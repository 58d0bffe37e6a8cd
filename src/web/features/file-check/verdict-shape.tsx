import IconCircleCheckFilled from '@tabler/icons-react/dist/esm/icons/IconCircleCheckFilled.mjs'
import IconAlertTriangleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertTriangleFilled.mjs'
import IconClockFilled from '@tabler/icons-react/dist/esm/icons/IconClockFilled.mjs'
import IconHelpCircleFilled from '@tabler/icons-react/dist/esm/icons/IconHelpCircleFilled.mjs'
import type { FileState } from '#contract/file-check.ts'

const SHAPES = {
  current: { Shape: IconCircleCheckFilled, color: 'var(--good)' },
  newest: { Shape: IconClockFilled, color: 'var(--info)' },
  superseded: { Shape: IconAlertTriangleFilled, color: 'var(--warning)' },
  unknown: { Shape: IconHelpCircleFilled, color: 'var(--info)' },
} as const satisfies Record<FileState, unknown>

/** Each answer has its own shape, so that it doesn't depend on color. */
export function VerdictShape({ state, size = 16 }: { state: FileState; size?: number }) {
  const { Shape, color } = SHAPES[state]
  return <Shape size={size} color={color} aria-hidden />
}
