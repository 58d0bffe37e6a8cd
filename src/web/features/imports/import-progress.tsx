import type { Import } from '#contract/imports.ts'
import { formatNumber } from '#contract/format.ts'
import { ProgressLine } from '#web/ui/progress-line.tsx'
import { ACTIVITY_WORDS } from './import-words.ts'

/** What the server is doing with the import, and how much of it is done. */
export function ImportProgress({ activity, progress }: { activity: NonNullable<Import['activity']>; progress: Import['progress'] }) {
  const { done, total } = progress
  const percent = total === 0 ? 0 : (done / total) * 100
  return (
    <div role="status">
      <ProgressLine
        label={ACTIVITY_WORDS[activity]}
        percent={percent}
        {...(total > 0 ? { detail: `${formatNumber(done)} of ${formatNumber(total)} rows` } : {})}
      />
    </div>
  )
}
