import { useQuery } from '@tanstack/react-query'
import { renderAsync } from 'docx-preview'
import { WORD_PREVIEW_MAX_BYTES } from '#contract/reading-limits.ts'
import { notShown } from '#contract/unreadable.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { LOADING } from './loading.tsx'
import { NoPreview } from './no-preview.tsx'
import { SafeFrame } from './safe-frame.tsx'
import { safeHtml } from './safe-html.ts'
import { readBytes, type ShownFile } from './shown-file.ts'
import { unpackWord, type WordProblem } from './unpack-word.ts'

const REASONS: Record<WordProblem, string> = {
  encrypted: notShown('encrypted'),
  old: `${notShown('not_supported')} It is in the old .doc format.`,
  damaged: notShown('damaged'),
  large: notShown('too_large'),
}

/** A Word document with its layout, without macros and embedded files. */
export function WordPreview({ file }: { file: ShownFile }) {
  const isLarge = file.size > WORD_PREVIEW_MAX_BYTES
  const query = useQuery({
    queryKey: ['file-content', file.key],
    queryFn: async ({ signal }) => renderWord(await readBytes(file, signal)),
    enabled: !isLarge,
    staleTime: Infinity,
    retry: false,
  })
  if (isLarge) return <NoPreview download={file.download} reason={REASONS.large} />
  return (
    <Loaded query={query} skeleton={LOADING} failure="The document could not be read.">
      {(result) =>
        'problem' in result ? (
          <NoPreview download={file.download} reason={REASONS[result.problem]} />
        ) : (
          <SafeFrame html={result.html} title={`Preview of ${file.name}`} />
        )
      }
    </Loaded>
  )
}

/** The pages become narrower with the preview. */
const FIT =
  '<style>.docx-wrapper{padding:12px!important;background:#e9e6df!important}.docx-wrapper>section.docx{max-width:100%;box-sizing:border-box}' +
  // On a phone, the margins of the page would leave a narrow column.
  '@media (max-width:600px){.docx-wrapper{padding:0!important}.docx-wrapper>section.docx{padding:16px!important}}</style>'

async function renderWord(bytes: Uint8Array): Promise<{ html: string } | { problem: WordProblem }> {
  const unpacked = unpackWord(bytes)
  if (typeof unpacked === 'string') return { problem: unpacked }
  // Neither becomes part of the page: only their sanitized text is shown, in a frame of its own.
  const [body, styles] = [document.createElement('div'), document.createElement('div')]
  const options = { useBase64URL: true, renderAltChunks: false, renderComments: false, ignoreFonts: true }
  try {
    await renderAsync(new Blob([unpacked]), body, styles, options)
  } catch {
    return { problem: 'damaged' }
  }
  return { html: safeHtml(styles.innerHTML + body.innerHTML).html + FIT }
}
