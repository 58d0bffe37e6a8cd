import { Group, Progress, Stack, Text } from '@mantine/core'
import { formatExportProgress } from '#contract/format.ts'

interface ProgressLineProps {
  label: string
  /** 0 to 100. */
  percent: number
  /** Below the bar, such as "3 of 12 files". */
  detail?: string
}

export function ProgressLine({ label, percent, detail }: ProgressLineProps) {
  const shown = formatExportProgress(percent)
  return (
    <Stack gap={6}>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <span>{label}</span>
        <span className="tabular">{shown}%</span>
      </Group>
      <Progress value={shown} size={6} aria-label={label} />
      {detail !== undefined && (
        <Text size="sm" c="dimmed">
          {detail}
        </Text>
      )}
    </Stack>
  )
}
