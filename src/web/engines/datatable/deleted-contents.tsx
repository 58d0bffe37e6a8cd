import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { companyCalls, type CompanyContents } from '#contract/companies.ts'
import { formatAmounts, formatList, plural } from '#contract/format.ts'
import { messageOf } from '#web/data/errors.ts'
import { queries } from '#web/data/queries.ts'
import { Notice } from '#web/ui/notice.tsx'
import type { DeletedContents } from './row-commands.ts'

/** What is deleted with the rows of a prompt, and whether they can be deleted: not before the user has seen it. */
export function useDeletedContents(deleted: DeletedContents | undefined) {
  const query = useQuery({
    ...queries.contents(deleted?.call ?? companyCalls.contents, deleted?.ids ?? []),
    enabled: deleted !== undefined,
  })
  if (deleted === undefined) return { text: null, canDelete: true }
  const { data, error, isFetching, refetch } = query
  if (isFetching) return { text: <Text c="dimmed">Counting what is deleted with it…</Text>, canDelete: false }
  if (data === undefined) {
    const retry = (
      <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
        Retry
      </Button>
    )
    const failure = (
      <Notice kind="error" title="What is deleted with it could not be counted">
        {messageOf(error)} {retry}
      </Notice>
    )
    return { text: failure, canDelete: false }
  }
  const isBlocked = deleted.force && data.accounts > 0
  const text = contentsText(data, deleted)
  return { text: isBlocked ? <Notice kind="warning">{text}</Notice> : <Text>{text}</Text>, canDelete: !isBlocked }
}

function contentsText(contents: CompanyContents, { ids, force }: DeletedContents): string {
  const { accounts, properties, documents, tiv, users } = contents
  const it = ids.length === 1 ? 'it' : 'them'
  const inside = [plural(properties, 'property', 'properties'), plural(documents, 'document'), `${formatAmounts(tiv)} total insured value`]
  const accountsText = `${plural(accounts, 'account')} (${inside.join(', ')})`
  const usersText = plural(users, 'user')
  const isOne = accounts + users === 1
  if (force && accounts > 0)
    return `${accountsText} ${accounts === 1 ? 'is' : 'are'} still in the trash of ${ids.length === 1 ? 'this company' : 'these companies'}. Permanently delete ${accounts === 1 ? 'it' : 'them'} first.`
  if (accounts + users === 0) return `No accounts and no users are deleted with ${it}.`
  const what = formatList([...(accounts > 0 ? [accountsText] : []), ...(users > 0 ? [usersText] : [])])
  return force
    ? `${what} ${isOne ? 'is' : 'are'} permanently deleted with ${it}.`
    : `${what} ${isOne ? 'goes' : 'go'} to the trash with ${it}. Restoring ${it} restores ${isOne ? 'this' : 'these'}, too.`
}
