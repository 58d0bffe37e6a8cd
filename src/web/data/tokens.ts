import { z } from 'zod'
import { SECOND_MS } from '#contract/limits.ts'
import { ChallengeMethod } from '#contract/session.ts'
import { createStore } from '#web/ui/store.ts'
import { emitPageEvent, END_REASONS, type SessionEnd } from './page-events.ts'
import { announceSession, isOtherTabSignedIn } from './signed-in-tabs.ts'

/** The pair of tokens of this session. `challenge`: valid only for answering the second factor. */
const StoredTokens = z.object({
  token: z.string(),
  refreshToken: z.string().nullable(),
  remember: z.boolean(),
  challenge: z.boolean(),
  /** What the challenge asks for, and what can be chosen instead. */
  method: ChallengeMethod.optional(),
  alternatives: z.array(ChallengeMethod).optional(),
  /** Of a person who came in by an invitation or a link, or of a user who views an account as such a person. */
  guest: z.enum(['visit', 'preview']).optional(),
})
export type StoredTokens = z.output<typeof StoredTokens>

const Message = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ask') }),
  z.object({ type: z.literal('have'), tokens: StoredTokens }),
  z.object({ type: z.literal('replaced'), previous: z.string(), tokens: StoredTokens }),
  z.object({
    type: z.literal('ended'),
    token: z.string(),
    reason: z.enum(END_REASONS).default('signed-out'),
    message: z.string().optional(),
  }),
])
type Message = z.output<typeof Message>

const KEY = 'plumbline.session'
/** Set while some tab may have a session, so that a new tab does not wait for an answer in vain. */
const HINT = 'plumbline.signed-in'
const ASK_OTHER_TABS_MS = SECOND_MS / 5
/** A tab that loads a long list answers late. */
const ASK_BUSY_TABS_MS = 5 * SECOND_MS
/** Set in a tab whose last session was a visit, until the visitor leaves it or a user signs in. */
const VISIT = 'plumbline.visit'
/** A tab with the session of a user answers first. */
const GUEST_ANSWERS_AFTER_MS = ASK_OTHER_TABS_MS / 2

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('plumbline.session')
let whenAdopted: (() => void) | undefined
const read = () => parse(window.sessionStorage.getItem(KEY) ?? window.localStorage.getItem(KEY))

function parse(stored: string | null): StoredTokens | undefined {
  if (stored === null) return undefined
  try {
    return StoredTokens.safeParse(JSON.parse(stored)).data
  } catch {
    return undefined
  }
}

/** The tokens of this tab; undefined when signed out. */
export const tokenStore = createStore(read())

/** What a user views as another person stays in its tab. */
const canBeShared = (current: StoredTokens | undefined): current is StoredTokens =>
  current !== undefined && !current.challenge && current.guest !== 'preview'

announceSession(canBeShared(tokenStore.get()))
tokenStore.subscribe(() => announceSession(canBeShared(tokenStore.get())))

const post = (message: Message) => channel?.postMessage(message)

export const tokens = tokenStore.get
export const isSignedIn = (): boolean => tokens()?.challenge === false

/** Whether the session of this tab is that of a person from outside, or the last one was and has ended by itself. */
export const isVisit = (): boolean => {
  const current = tokens()
  return current === undefined ? window.sessionStorage.getItem(VISIT) !== null : current.guest !== undefined
}

/** Gives a tab that this page has just opened a session of its own. */
export const storeTokensIn = (tab: Window, session: StoredTokens): void => tab.sessionStorage.setItem(KEY, JSON.stringify(session))

let leaving: string | undefined
/** From now on, calls with this token that the server refuses are no news: the user signs out. */
export const markLeaving = (token: string | undefined): void => void (leaving = token)
export const isLeaving = (token: string): boolean => token === leaving

/** The tokens of a session that begins here. Remembered ones are in the persistent store, others in the store of this tab. */
export function storeTokens(next: StoredTokens): void {
  leaving = undefined
  setCurrent(next)
}

function setCurrent(next: StoredTokens | undefined): void {
  window.sessionStorage.removeItem(KEY)
  // The persistent store may already have a newer session of another tab, which stays.
  if (parse(window.localStorage.getItem(KEY))?.token === tokens()?.token) window.localStorage.removeItem(KEY)
  if (next !== undefined) {
    const store = next.remember && !next.challenge ? window.localStorage : window.sessionStorage
    store.setItem(KEY, JSON.stringify(next))
    if (next.guest === 'visit') window.sessionStorage.setItem(VISIT, '1')
    else window.sessionStorage.removeItem(VISIT)
    if (canBeShared(next)) window.localStorage.setItem(HINT, '1')
  }
  tokenStore.set(next)
}

/** The next pair of the same session, for all its tabs. A sign-in is not sent, since other tabs may belong to another user. */
export function replaceTokens(next: StoredTokens): void {
  const previous = tokens()
  storeTokens(next)
  if (previous !== undefined) post({ type: 'replaced', previous: previous.token, tokens: next })
}

/** The other tabs of the session show the same as this one: why it ended, and where to come back to. */
export function clearTokens({ reason, message }: SessionEnd = { reason: 'signed-out', message: undefined }): void {
  const current = tokens()
  if (current !== undefined) post({ type: 'ended', token: current.token, reason, message })
  setCurrent(undefined)
  if (reason === 'signed-out') window.sessionStorage.removeItem(VISIT)
  if (window.localStorage.getItem(KEY) === null) window.localStorage.removeItem(HINT)
}

/** A page in a new tab has an empty store: it takes over the session of another tab, if there is one. */
export async function adoptSession(): Promise<void> {
  if (tokens() !== undefined || channel === undefined || window.localStorage.getItem(HINT) === null) return
  await new Promise<void>((resolve) => {
    whenAdopted = resolve
    post({ type: 'ask' })
    void isOtherTabSignedIn().then((isSignedInThere) => setTimeout(resolve, isSignedInThere ? ASK_BUSY_TABS_MS : ASK_OTHER_TABS_MS))
  })
  whenAdopted = undefined
}

channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const message = Message.safeParse(data).data
  if (message !== undefined) handle(message)
})

function answerTab(current: StoredTokens | undefined): void {
  if (!canBeShared(current)) return
  const answer = () => tokens()?.token === current.token && post({ type: 'have', tokens: current })
  if (current.guest === undefined) answer()
  else setTimeout(answer, GUEST_ANSWERS_AFTER_MS)
}

function handle(message: Message): void {
  const current = tokens()
  switch (message.type) {
    case 'ask':
      return answerTab(current)
    case 'have':
      // A late answer would put another user's session under the sign-in page.
      if (whenAdopted === undefined || current !== undefined) return
      storeTokens(message.tokens)
      return whenAdopted()
    case 'replaced':
      // A refresh token works once: every tab of the session needs the newest pair.
      if (current?.token === message.previous) storeTokens(message.tokens)
      return
    case 'ended':
      if (current?.token !== message.token) return
      setCurrent(undefined)
      return emitPageEvent('session-ended', { reason: message.reason, message: message.message })
    default:
      message satisfies never
  }
}
