import { focusManager } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Socket } from 'socket.io-client'
import { z } from 'zod'
import { AccountUpdated, NotificationSent, RecordOpened, RowUpdated, TOO_MANY_SOCKETS, realtimeCalls } from '#contract/events.ts'
import { SOCKET_RETRY_MAX_MS } from '#contract/limits.ts'
import { api } from './client.ts'
import { isApiError, type ApiErrorKind } from './errors.ts'
import { queryClient } from './query-client.ts'
import { refresh } from './refresh.ts'
import { initQuery, knownSession } from './session.ts'
import { countOwnWrite, staleAfter, staleAfterJoin } from './staleness.ts'
import { isSignedIn, tokenStore, tokens } from './tokens.ts'

/** Failures that end by themselves. */
const PASSING: readonly ApiErrorKind[] = ['network', 'timeout', 'internal', 'unavailable', 'throttled']
/** A server that is stopping may not answer. */
const JOIN_TIMEOUT_MS = 10_000
const Joined = z.object({ ok: z.literal(true) })
const subscriptions = new Map<string, number>()
let socket: Socket | undefined
let paused = false
/** The user has too many pages with a socket. */
let isRejected = false

/** Subscribes to a channel while the component is mounted; what its events make stale is in `staleness.ts`. */
export function useChannel(channel: string | undefined): void {
  useEffect(() => {
    if (channel === undefined) return undefined
    const count = subscriptions.get(channel) ?? 0
    subscriptions.set(channel, count + 1)
    if (count === 0) void join(channel)
    return () => leave(channel)
  }, [channel])
}

/** Drops every subscription, as at the inactivity warning, until `resumeRealtime`. */
export function pauseRealtime(): void {
  paused = true
  socket?.disconnect()
  socket = undefined
}

export function resumeRealtime(): void {
  if (!paused) return
  paused = false
  // Events of the meantime are lost.
  void queryClient.invalidateQueries()
  for (const channel of subscriptions.keys()) void join(channel)
}

function leave(channel: string): void {
  const count = (subscriptions.get(channel) ?? 1) - 1
  if (count > 0) return void subscriptions.set(channel, count)
  subscriptions.delete(channel)
  socket?.emit('unsubscribe', channel)
}

/** Subscribes, and then refetches what the channel is about: changes between the fetch of the page and this moment sent it no event. */
async function join(channel: string, isRetry = false): Promise<void> {
  const connection = await connect()
  if (connection?.id === undefined || !connection.connected || !subscriptions.has(channel)) return
  const retry = () => void setTimeout(() => void join(channel, true), SOCKET_RETRY_MAX_MS)
  try {
    const { data } = await api(realtimeCalls.authorize, { body: { socket_id: connection.id, channel_name: channel } })
    if (!subscriptions.has(channel)) return
    const isJoined = await subscribe(connection, channel, data.auth)
    if (!subscriptions.has(channel)) connection.emit('unsubscribe', channel)
    else if (!isJoined) retry()
    else if (isRetry) refresh({})
    else staleAfterJoin(channel)
  } catch (error) {
    // A page works without its channel: its lists still reload on focus.
    if (!isApiError(error)) throw error
    if (PASSING.includes(error.kind)) retry()
  }
}

/** Whether the server has answered that the socket gets the events from now on. */
async function subscribe(connection: Socket, channel: string, auth: string): Promise<boolean> {
  const answer: unknown = await connection
    .timeout(JOIN_TIMEOUT_MS)
    .emitWithAck('subscribe', { channel, auth })
    // Without an answer, the connection is lost, or it will be.
    .catch(() => undefined)
  return Joined.safeParse(answer).success
}

/** Guests get no events, and a server may be set up without realtime. */
function canSubscribe(): boolean {
  const session = knownSession()
  if (!isSignedIn() || session === undefined) return false
  return session.config.realtime && !session.auth_user.via_invite && !session.auth_user.via_share_link
}

// The next user must not receive events through the socket of the previous one.
tokenStore.subscribe(() => {
  if (tokens() !== undefined) return
  socket?.disconnect()
  socket = undefined
})

// The library does not reconnect after a rejection. A page to which the user returns may find that others are closed.
focusManager.subscribe((isFocused) => {
  if (!isFocused || !isRejected) return
  isRejected = false
  socket?.connect()
})

/** The one socket of the page, opened with the first subscription; its code is loaded only then. */
async function connect(): Promise<Socket | undefined> {
  if (paused || !canSubscribe()) return undefined
  if (socket !== undefined) return socket
  const { io } = await import('socket.io-client')
  if (socket !== undefined || paused) return socket
  const opened = io({
    transports: ['websocket'],
    reconnectionDelayMax: SOCKET_RETRY_MAX_MS,
    auth: (give) => give({ token: tokens()?.token }),
  })
  socket = opened
  let lost = false
  opened.on('connect', () => {
    if (lost) void queryClient.invalidateQueries()
    for (const channel of subscriptions.keys()) void join(channel)
  })
  opened.on('disconnect', (reason) => {
    lost = true
    // The server drops a socket whose token was exchanged; the library reconnects by itself after any other loss only.
    if (reason === 'io server disconnect' && opened === socket && canSubscribe()) opened.connect()
  })
  opened.on('connect_error', ({ message }) => {
    isRejected = message === TOO_MANY_SOCKETS
    lost ||= isRejected
    // The server ended the session. A call that it rejects opens the sign-in page, so that this page no longer shows data.
    if (message === 'unauthenticated' && isSignedIn()) void queryClient.invalidateQueries({ queryKey: initQuery.queryKey })
  })
  opened.on('resync', () => {
    void queryClient.invalidateQueries()
    // The rights of the user may have changed: lists no longer show what they showed.
    countOwnWrite()
  })
  opened.on('notification', ({ data }: { data: unknown }) => {
    const sent = NotificationSent.safeParse(data).data
    if (sent) staleAfter.user.notification(sent)
  })
  opened.on('record-opened', ({ data }: { data: unknown }) => {
    const record = RecordOpened.safeParse(data).data
    if (record) staleAfter.user['record-opened'](record)
  })
  opened.on('model-updated', ({ data }: { data: unknown }) => {
    const onAccount = AccountUpdated.safeParse(data).data
    if (onAccount) staleAfter.account['model-updated'](onAccount)
    const onRow = RowUpdated.safeParse(data).data
    if (onRow) staleAfter.datatable['model-updated'](onRow)
  })
  return opened
}
