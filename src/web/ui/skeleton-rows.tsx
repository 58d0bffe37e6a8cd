import { Flex, Skeleton } from '@mantine/core'

/** As high as the rows that replace them, so that nothing moves when a list has loaded. */
export function SkeletonRows({ rows, label }: { rows: number; label: string }) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <Flex key={row} h="var(--row-height)" align="center" style={{ borderBottom: '1px solid var(--line)' }}>
          <Skeleton height={12} width={`${String(70 - ((row * 17) % 35))}%`} />
        </Flex>
      ))}
    </div>
  )
}
