import { z } from 'zod'
import { SECOND_MS } from '#contract/limits.ts'

/** The pair of tokens of this session. `challenge`: only good for answering the second factor. */
const StoredTokens = z.object({ token: z.string(), refreshToken: z.string().nullable(), remember: z.boolean(), challenge: z.boolean() })
export type StoredTokens = z.output<typeof StoredTokens>

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ask') }),
  z.object({ type: z.literal('have'), tokens: StoredTokens }),
  z.object({ type: z.literal('replaced'), previous: z.string(), tokens: StoredTokens }),
  z.object({ type: z.literal('ended'), token: z.string() }),
])
type Message = z.output<typeof Message>

const KEY = 'plumbline.session'
/** Says that some tab may hold a session, so that a new tab need not ask in vain. */
const HINT = 'plumbline.signed-in'
const ASK_OTHER_TABS_MS = SECOND_MS / 5

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('plumbline.session')
const endedElsewhere = new Set<() => void>()
const changed = new Set<() => void>()
let asking = false
const read = () => parse(window.sessionStorage.getItem(KEY) ?? window.localStorage.getItem(KEY))

function parse(stored: string | null): StoredTokens | undefined {
  if (stored === null) return undefined
  try {
    return StoredTokens.safeParse(JSON.parse(stored)).data
  } catch {
    return undefined
  }
}

let current = read()

const tell = (message: Message) => channel?.postMessage(message)

export const tokens = (): StoredTokens | undefined => current
export const isSignedIn = (): boolean => current !== undefined && !current.challenge

/** The tokens of a session that begins here. Remembered ones lie in the persistent store, others in the store of this tab (decisions Q10). */
export function storeTokens(next: StoredTokens): void {
  keep(next)
}

/** The next pair of the same session, for every tab of it; never told at a sign-in, whose neighbours may be another person's. */
export function replaceTokens(next: StoredTokens): void {
  const previous = current
  keep(next)
  if (previous !== undefined) tell({ type: 'replaced', previous: previous.token, tokens: next })
}

function keep(next: StoredTokens): void {
  eraseStored()
  current = next
  const store = next.remember && !next.challenge ? window.localStorage : window.sessionStorage
  store.setItem(KEY, JSON.stringify(next))
  if (!next.challenge) window.localStorage.setItem(HINT, '1')
  for (const listener of changed) listener()
}

export function clearTokens(): void {
  if (current !== undefined) tell({ type: 'ended', token: current.token })
  forget()
  if (window.localStorage.getItem(KEY) === null) window.localStorage.removeItem(HINT)
}

function forget(): void {
  eraseStored()
  current = undefined
  for (const listener of changed) listener()
}

/** What lies in the persistent store may already be a newer session, begun in another tab: that one stays. */
function eraseStored(): void {
  window.sessionStorage.removeItem(KEY)
  if (parse(window.localStorage.getItem(KEY))?.token === current?.token) window.localStorage.removeItem(KEY)
}

export function onTokensChanged(listener: () => void): () => void {
  changed.add(listener)
  return () => void changed.delete(listener)
}

/** Called when another tab of the same session signed out. */
export function onEndedElsewhere(listener: () => void): () => void {
  endedElsewhere.add(listener)
  return () => void endedElsewhere.delete(listener)
}

/** A page opened in a new tab has its own empty store: it takes over the session of a neighbouring tab, if there is one. */
export async function adoptSession(): Promise<void> {
  if (current !== undefined || channel === undefined || window.localStorage.getItem(HINT) === null) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ASK_OTHER_TABS_MS)
    asking = true
    channel.addEventListener('message', function heard({ data }: MessageEvent<unknown>) {
      if (Message.safeParse(data).data?.type !== 'have') return
      channel.removeEventListener('message', heard)
      clearTimeout(timer)
      resolve()
    })
    tell({ type: 'ask' })
  })
  asking = false
}

channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const message = Message.safeParse(data).data
  if (message !== undefined) hear(message)
})

function hear(message: Message): void {
  switch (message.type) {
    case 'ask':
      if (current !== undefined && !current.challenge) tell({ type: 'have', tokens: current })
      return
    case 'have':
      // Later than asked, it would put somebody else's session under the sign-in page.
      if (asking && current === undefined) keep(message.tokens)
      return
    case 'replaced':
      // A refresh token is good once: every tab of the session must hold the newest pair.
      if (current?.token === message.previous) keep(message.tokens)
      return
    case 'ended':
      if (current?.token !== message.token) return
      forget()
      for (const listener of endedElsewhere) listener()
      return
    default:
      message satisfies never
  }
}
