import { Text } from '@mantine/core'
import { formatMoney, plural } from '#contract/format.ts'
import type { Import } from '#contract/imports.ts'
import classes from './preview.module.css'

/** Total insured values side by side: what the file holds, the register before and after, and what the file's own totals row says. */
export function PreviewSums({ sums }: { sums: NonNullable<Import['sums']> }) {
  const { file, before, after, stated } = sums
  const gap = stated === null ? 0 : file.tiv - stated
  return (
    <dl className={classes['sums']}>
      <Figure label="In the file" rows={file.rows} tiv={file.tiv} />
      <Figure label="Register before" rows={before.rows} tiv={before.tiv} />
      <Figure label="Register after" rows={after.rows} tiv={after.tiv} />
      {stated !== null && (
        <div>
          <dt>Totals row of the file</dt>
          <dd>
            {formatMoney(stated)}
            <Text size="xs" className={classes[gap === 0 ? 'good' : 'warning']}>
              {gap === 0
                ? 'Agrees with the rows'
                : `Warning: the rows add up to ${formatMoney(Math.abs(gap))} ${gap > 0 ? 'more' : 'less'}`}
            </Text>
          </dd>
        </div>
      )}
    </dl>
  )
}

function Figure({ label, rows, tiv }: { label: string; rows: number; tiv: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {formatMoney(tiv)}
        <Text size="xs" c="dimmed">
          {plural(rows, 'location')}
        </Text>
      </dd>
    </div>
  )
}
