import { Skeleton } from '@mantine/core'
import classes from './skeleton-rows.module.css'

/** Lines of the height of rows while a list loads, so that nothing moves when it arrives. */
export function SkeletonRows({ rows, label }: { rows: number; label: string }) {
  return (
    <div role="status" aria-label={label}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes['row']}>
          <Skeleton height={12} width={`${String(70 - ((row * 17) % 35))}%`} />
        </div>
      ))}
    </div>
  )
}
