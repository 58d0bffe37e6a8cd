import { Group, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { PropertyImportRow } from '#contract/property-imports.ts'
import { Datatable } from '#web/engines/datatable/datatable.tsx'
import { isFinished, progressLabel } from '#web/engines/account/import-progress.ts'
import { paths } from '#web/paths.ts'
import { CompactButton } from './compact-button.ts'
import { useUndo } from './use-undo.tsx'

/** The imports of an account, newest first. Unfinished ones can be continued, the newest committed one undone. */
export function ImportHistory({ accountId }: { accountId: string }) {
  const navigate = useNavigate()
  const { start: undo, isPending } = useUndo(accountId)
  const fixed = useMemo(() => ({ account_id: accountId }), [accountId])
  const cells = {
    state: ({ item }: PropertyImportRow) => (
      <Group gap={8} wrap="nowrap">
        {!isFinished(item) && (
          <CompactButton onClick={() => void navigate({ href: paths.openImport(accountId, item.id) })}>Continue</CompactButton>
        )}
        {item.undoable && (
          <CompactButton loading={isPending} onClick={() => void undo(item)}>
            Undo
          </CompactButton>
        )}
        <Text span inherit truncate title={progressLabel(item)}>
          {progressLabel(item)}
        </Text>
      </Group>
    ),
  }
  return (
    <Datatable
      model="property_imports"
      label="imports"
      basePath={paths.import(accountId)}
      rowHref={({ id }) => paths.openImport(accountId, id)}
      openIn="page"
      fixed={fixed}
      cells={cells}
      empty={
        <Text c="dimmed" p="md">
          No import in the history.
        </Text>
      }
    />
  )
}
