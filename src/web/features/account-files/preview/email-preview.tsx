import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { formatBytes, formatExactTime, plural } from '#contract/format.ts'
import { EMAIL_PREVIEW_MAX_BYTES, EMAIL_PREVIEW_MS } from '#contract/reading-limits.ts'
import { useSession } from '#web/data/session.ts'
import { Loaded } from '#web/engines/loaded.tsx'
import { saveBlob } from '#web/ui/download.ts'
import { ContentPreview } from './content-preview.tsx'
import { LOADING } from './loading.tsx'
import type { EmailAnswer, EmailAttachment, EmailMessage, EmailRequest } from './email-message.ts'
import { NoPreview } from './no-preview.tsx'
import classes from './preview.module.css'
import { SafeFrame } from './safe-frame.tsx'
import { safeHtml } from './safe-html.ts'
import { readBytes, type ShownFile } from './shown-file.ts'

/** An email with its headers, its text and its attachments. */
export function EmailPreview({ file }: { file: ShownFile }) {
  const isLarge = file.size > EMAIL_PREVIEW_MAX_BYTES
  const query = useQuery({
    queryKey: ['file-content', file.key],
    queryFn: async ({ signal }) => readInWorker(await readBytes(file, signal), signal),
    enabled: !isLarge,
    staleTime: Infinity,
    retry: false,
  })
  if (isLarge) return <NoPreview download={file.download} reason="This email is too large to show here." />
  return (
    <Loaded query={query} skeleton={LOADING} failure="The email could not be read.">
      {(answer) =>
        'message' in answer ? (
          <Message file={file} message={answer.message} />
        ) : (
          <NoPreview download={file.download} reason="This email is damaged, so it cannot be shown here." />
        )
      }
    </Loaded>
  )
}

/** Reads the message in a thread of its own, which is ended when it takes too long. */
function readInWorker(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<EmailAnswer> {
  const worker = new Worker(new URL('./read-email.worker.ts', import.meta.url), { type: 'module' })
  const failed: EmailAnswer = { failed: true }
  const read = new Promise<EmailAnswer>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<EmailAnswer>) => resolve(data))
    worker.addEventListener('error', () => resolve(failed))
    setTimeout(() => resolve(failed), EMAIL_PREVIEW_MS)
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  const request: EmailRequest = { bytes }
  worker.postMessage(request)
  return read.finally(() => worker.terminate())
}

function Message({ file, message }: { file: ShownFile; message: EmailMessage }) {
  const [opened, setOpened] = useState<EmailAttachment | null>(null)
  const zone = useSession().auth_user.company.timezone
  const { from, to, cc, date, subject } = message
  const headers = [
    ['From', from],
    ['To', to],
    ['Cc', cc],
    ['Date', date === null ? '' : formatExactTime(date, zone)],
  ].filter(([, value]) => value !== '')
  if (opened !== null)
    return (
      <div className={classes['sheets']}>
        <p className={classes['note']}>
          <Button size="compact-sm" variant="default" onClick={() => setOpened(null)}>
            Back to the email
          </Button>{' '}
          {opened.name}
        </p>
        <ContentPreview file={attachedFile(file, opened)} />
      </div>
    )
  return (
    <article className={classes['email']}>
      <h3>{subject || 'No subject'}</h3>
      <dl>
        {headers.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Attachments file={file} attachments={message.attachments} onOpen={setOpened} />
      <Body message={message} />
    </article>
  )
}

const blobOf = ({ bytes, type }: EmailAttachment) => new Blob([bytes], { type })

const attachedFile = (file: ShownFile, attachment: EmailAttachment): ShownFile => ({
  key: `${file.key} ${attachment.id}`,
  name: attachment.name,
  type: attachment.type.toLowerCase(),
  size: attachment.bytes.length,
  content: { kind: 'local', blob: blobOf(attachment) },
  download: file.download && (() => saveBlob(blobOf(attachment), attachment.name)),
  store: file.store,
})

interface AttachmentsProps {
  file: ShownFile
  attachments: readonly EmailAttachment[]
  onOpen: (attachment: EmailAttachment) => void
}

function Attachments({ file, attachments, onOpen }: AttachmentsProps) {
  const { download, store } = file
  // Pictures in the text are shown there.
  const listed = attachments.filter(({ contentId, type }) => contentId === null || !type.startsWith('image/'))
  if (listed.length === 0) return null
  return (
    <section aria-label="Attachments">
      <h4>{plural(listed.length, 'attachment')}</h4>
      <ul>
        {listed.map((attachment) => (
          <li key={attachment.id}>
            <button type="button" className={classes['attachment']} onClick={() => onOpen(attachment)}>
              {attachment.name}
            </button>
            <span className={classes['quiet']}>{formatBytes(attachment.bytes.length)}</span>
            {download && (
              <Button size="compact-xs" variant="default" onClick={() => saveBlob(blobOf(attachment), attachment.name)}>
                Download
              </Button>
            )}
            {store && (
              <Button
                size="compact-xs"
                variant="default"
                onClick={() => store(new File([attachment.bytes], attachment.name, { type: attachment.type }))}
              >
                Add to the account
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Body({ message }: { message: EmailMessage }) {
  const { html, text } = message
  const safe = useMemo(() => html && safeHtml(html, picturesOf(message)), [html, message])
  if (!safe) return text ? <pre className={classes['emailText']}>{text}</pre> : <p className={classes['note']}>This email has no text.</p>
  return (
    <>
      {safe.remoteImages > 0 && (
        <p className={classes['note']}>
          {plural(safe.remoteImages, 'picture')} on the web {safe.remoteImages === 1 ? 'is' : 'are'} not loaded, so that the sender does not
          learn who reads this.
        </p>
      )}
      <SafeFrame html={`<div style="padding:12px">${safe.html}</div>`} title="Text of the email" />
    </>
  )
}

/** The pictures in the text by their content id, as data addresses. */
const picturesOf = ({ attachments }: EmailMessage): Map<string, string> =>
  new Map(
    attachments.flatMap(({ contentId, type, bytes }) =>
      contentId !== null && /^image\/(png|jpeg|gif|webp|bmp)$/i.test(type) ? [[contentId, `data:${type};base64,${toBase64(bytes)}`]] : [],
    ),
  )

/** In pieces, because a function has a limited number of arguments. */
function toBase64(bytes: Uint8Array): string {
  const PIECE = 32_768
  let binary = ''
  for (let at = 0; at < bytes.length; at += PIECE) binary += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  return btoa(binary)
}
