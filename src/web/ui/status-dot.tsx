import { Group } from '@mantine/core'
import { statusColor } from './status-color.ts'

/** The name of a status with its color, which comes from the data. */
export function StatusDot({ color, name }: { color: string; name: string }) {
  return (
    <Group component="span" display="inline-flex" gap="xs" wrap="nowrap" style={{ whiteSpace: 'nowrap' }}>
      <svg width="10" height="10" viewBox="0 0 10 10" aria-hidden="true">
        <circle cx="5" cy="5" r="4.5" style={{ fill: statusColor(color) }} stroke="var(--line)" />
      </svg>
      {name}
    </Group>
  )
}
