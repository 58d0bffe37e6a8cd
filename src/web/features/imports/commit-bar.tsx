import { Button, Text } from '@mantine/core'
import classes from './commit-bar.module.css'
import type { Import } from '#contract/imports.ts'
import { ImportProgress } from './import-progress.tsx'
import { allImported, commitSentence, leftAside } from './import-words.ts'

interface CommitBarProps {
  data: Import
  removals: number
  busy: boolean
  onCommit: () => void
  onRejected: () => void
  onCancel: () => void
}

/** The last step, always in view: what the import will do, to the row, and what it leaves aside. */
export function CommitBar({ data, removals, busy, onCommit, onRejected, onCancel }: CommitBarProps) {
  const sentence = commitSentence(data.counts, removals)
  const aside = leftAside(data.counts)
  const ready = data.state === 'validated' && data.activity === null
  const rejected = (data.counts.errors ?? 0) > 0
  return (
    <div className={classes['bar']}>
      <div className={classes['words']}>
        {data.activity === null ? (
          <Text size="sm" c="dimmed">
            {aside === '' ? allImported(data.counts) : `Not imported: ${aside}.`}
          </Text>
        ) : (
          <ImportProgress activity={data.activity} progress={data.progress} />
        )}
      </div>
      {rejected && (
        <Button variant="default" onClick={onRejected}>
          Download rejected rows
        </Button>
      )}
      <Button variant="subtle" color="gray" disabled={busy} onClick={onCancel}>
        Cancel import
      </Button>
      <Button disabled={!ready || sentence === null} loading={busy} onClick={onCommit}>
        {sentence ?? 'Nothing to import'}
      </Button>
    </div>
  )
}
