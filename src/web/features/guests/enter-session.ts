import { z } from 'zod'
import { SECOND_MS } from '#contract/limits.ts'
import { beginGuest } from '#web/data/session.ts'
import { paths } from '#web/paths.ts'

/** The tokens of a session that begins in another tab. They never are in an address or a store that all tabs read. */
const Handed = z.object({ token: z.string(), refresh_token: z.string().nullable(), kind: z.enum(['visit', 'preview']), path: z.string() })
type Handed = z.output<typeof Handed>

const CHANNEL = 'plumbline.enter'
const WAITS_MS = 30 * SECOND_MS

const Asked = z.object({ ask: z.string() })
const Given = z.object({ for: z.string(), handed: Handed })

/** Opens the session of a person from outside, or the preview of one, in a new tab. This tab keeps its own session. */
export function openInNewTab(handed: Handed): void {
  const key = crypto.randomUUID()
  const channel = new BroadcastChannel(CHANNEL)
  const close = setTimeout(() => channel.close(), WAITS_MS)
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (Asked.safeParse(data).data?.ask !== key) return
    channel.postMessage({ for: key, handed })
    clearTimeout(close)
    setTimeout(() => channel.close(), SECOND_MS)
  })
  window.open(paths.enter(key), '_blank', 'noopener')
}

/** Takes over the session that another tab opened for this one and returns where it begins; undefined without an answer. */
export async function takeSession(key: string): Promise<string | undefined> {
  const channel = new BroadcastChannel(CHANNEL)
  const given = await new Promise<Handed | undefined>((resolve) => {
    channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
      const message = Given.safeParse(data).data
      if (message?.for === key) resolve(message.handed)
    })
    setTimeout(() => resolve(undefined), 2 * SECOND_MS)
    channel.postMessage({ ask: key })
  })
  channel.close()
  if (given === undefined) return undefined
  beginGuest(given, given.kind)
  return given.path
}
