import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { documentName, fileCalls, type AccountFile } from '#contract/account-files.ts'
import { TEXT_GROUPS, type PlainText, type TextState } from '#contract/document-texts.ts'
import { api } from '#web/data/client.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { ScrollRegion } from '#web/ui/scroll-region.tsx'
import { LOADING } from './loading.tsx'
import { NOT_FOR_VIEWING, NoPreview } from './no-preview.tsx'
import classes from './preview.module.css'

const ASK_AGAIN_MS = 3_000
const isWaiting = (state: TextState | undefined) => TEXT_GROUPS.waiting.states.some((waiting) => waiting === state)

/** The text of a document, for users with permission to preview it and not to download it: browsers show its kind only from its bytes. */
export function PlainTextPreview({ file }: { file: AccountFile }) {
  const query = useQuery({
    queryKey: ['plain-text', file.id, file.file_number],
    queryFn: async ({ signal }) => (await api(fileCalls.plainText, { params: { id: file.account_id, file_id: file.id }, signal })).data,
    refetchInterval: ({ state }) => (isWaiting(state.data?.state) ? ASK_AGAIN_MS : false),
  })
  return (
    <Loaded query={query} skeleton={LOADING} failure={`The text of ${documentName(file)} could not be loaded.`}>
      {(text) => {
        if (isWaiting(text.state)) return <NoPreview reason="The text of this document is being read and appears here in a moment." />
        if (text.parts.length === 0) return <NoPreview reason={NOT_FOR_VIEWING} />
        return <Parts name={documentName(file)} text={text} />
      }}
    </Loaded>
  )
}

function Parts({ name, text: { parts, is_cut: isCut } }: { name: string; text: PlainText }) {
  return (
    <ScrollRegion label={`Text of ${name}`} className={classes['text'] ?? ''}>
      <Text size="sm" c="dimmed" mb="sm">
        The text of this document. Its layout and pictures are in the file: ask the sender for it.
      </Text>
      {[...Map.groupBy(parts, ({ place }) => place)].map(([place, group]) => (
        <div key={place} className={classes['part']}>
          {place !== '' && <h3>{place}</h3>}
          {group.map(({ body }) => body).join('\n')}
        </div>
      ))}
      {isCut && (
        <Text size="sm" c="dimmed">
          The document is longer than this.
        </Text>
      )}
    </ScrollRegion>
  )
}
