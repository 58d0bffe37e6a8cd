import { Button, Group, Text } from '@mantine/core'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { memo } from 'react'
import { deviceZone, formatBytes } from '#contract/format.ts'
import { productName } from '#web/data/session.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { ProgressLine } from '#web/ui/progress-line.tsx'
import type { Verdict } from './check-file.ts'
import type { CheckedFile } from './checks.ts'
import classes from './file-check.module.css'
import { compareWithManifest, type ListedFile, type PresentFile } from './manifest.ts'
import { VerdictShape } from './verdict-shape.tsx'
import { ANSWERS, factsOf, meaningOf, membersToList } from './verdict-texts.ts'

interface CheckedFileCardProps {
  check: CheckedFile
  /** The other files, for a manifest, when all were checked. */
  present: readonly PresentFile[] | undefined
  onRemove: (id: number) => void
  onRetry: (id: number) => void
}

/** A dropped file with its progress, and then its answer. Progress of one file does not render the others, which may list thousands of paths. */
export const CheckedFileCard = memo(function CheckedFileCard({
  check: { id, file, outcome },
  present,
  onRemove,
  onRetry,
}: CheckedFileCardProps) {
  const isOver = outcome.is === 'done' || outcome.is === 'failed'
  return (
    <li className={classes['result']} aria-label={file.name}>
      <div className={classes['head']}>
        <Text className={classes['name']} fw={600}>
          {file.name}
        </Text>
        <Text size="sm" c="dimmed" className={classes['size']}>
          {formatBytes(file.size)}
        </Text>
        <IconButton name={`${isOver ? 'Remove' : 'Cancel'} ${file.name}`} onClick={() => onRemove(id)}>
          <IconX size={16} />
        </IconButton>
      </div>
      {outcome.is === 'waiting' && (
        <Text size="sm" c="dimmed">
          Waiting
        </Text>
      )}
      {outcome.is === 'reading' && <ProgressLine label="Reading the file" percent={outcome.percent} />}
      {outcome.is === 'asking' && (
        <Text size="sm" c="dimmed">
          Looking it up
        </Text>
      )}
      <div role="status">
        {outcome.is === 'done' && <Answer verdict={outcome.verdict} name={file.name} />}
        {outcome.is === 'done' && outcome.manifest && present && (
          <ManifestAnswer listed={outcome.manifest} present={present} isKnown={outcome.verdict.state !== 'unknown'} />
        )}
      </div>
      {outcome.is === 'failed' && (
        <Group justify="space-between" gap="sm">
          <Text role="alert" size="sm" c="var(--critical)">
            {outcome.message}
          </Text>
          <Button variant="default" size="compact-sm" onClick={() => onRetry(id)}>
            Try again
          </Button>
        </Group>
      )}
    </li>
  )
})

function Answer({ verdict, name }: { verdict: Verdict; name: string }) {
  const facts = factsOf(verdict, deviceZone())
  return (
    <>
      <p className={classes['verdict']} data-state={verdict.state}>
        <VerdictShape state={verdict.state} size={20} />
        {ANSWERS[verdict.state].title}
      </p>
      <Text size="sm">{meaningOf(verdict, { product: productName(), name })}</Text>
      {facts !== '' && (
        <Text size="sm" c="dimmed">
          {facts}
        </Text>
      )}
      <Paths lists={membersToList(verdict)} />
    </>
  )
}

interface ManifestAnswerProps {
  listed: readonly ListedFile[]
  present: readonly PresentFile[]
  /** Whether the manifest itself is as it was issued. */
  isKnown: boolean
}

/** Which of the files in a manifest are missing among those that were dropped. */
function ManifestAnswer({ listed, present, isKnown }: ManifestAnswerProps) {
  const { text, lists } = compareWithManifest(listed, present)
  return (
    <>
      <Text size="sm">
        {text}
        {!isKnown && ' This file is unknown itself, so its list may have been changed.'}
      </Text>
      <Paths lists={lists} />
    </>
  )
}

const Paths = ({ lists }: { lists: readonly { label: string; paths: readonly string[] }[] }) =>
  lists.map(({ label, paths }) => (
    <details key={label} className={classes['members']}>
      <summary>{label}</summary>
      <ul>
        {paths.map((path) => (
          <li key={path}>{path}</li>
        ))}
      </ul>
    </details>
  ))
