import { useEffect } from 'react'
import type { Socket } from 'socket.io-client'
import { AccountUpdated, NotificationRaised, RowUpdated, realtimeCalls } from '#contract/events.ts'
import { api } from './client.ts'
import { isApiError } from './errors.ts'
import { queryClient } from './query-client.ts'
import { knownSession } from './session.ts'
import { staleAfter } from './staleness.ts'
import { isSignedIn, onTokensChanged, tokens } from './tokens.ts'

const wanted = new Map<string, number>()
let socket: Socket | undefined
let paused = false

/** Hears a channel while the component is mounted; what its events make stale is in `staleness.ts`. */
export function useChannel(channel: string | undefined): void {
  useEffect(() => {
    if (channel === undefined) return undefined
    const users = wanted.get(channel) ?? 0
    wanted.set(channel, users + 1)
    if (users === 0) void join(channel)
    return () => leave(channel)
  }, [channel])
}

/** Drops every subscription, as at the inactivity warning; `resumeRealtime` takes them up again. */
export function pauseRealtime(): void {
  paused = true
  socket?.disconnect()
  socket = undefined
}

export function resumeRealtime(): void {
  if (!paused) return
  paused = false
  // What happened meanwhile was not heard.
  void queryClient.invalidateQueries()
  for (const channel of wanted.keys()) void join(channel)
}

function leave(channel: string): void {
  const users = (wanted.get(channel) ?? 1) - 1
  if (users > 0) {
    wanted.set(channel, users)
    return
  }
  wanted.delete(channel)
  socket?.emit('unsubscribe', channel)
}

async function join(channel: string): Promise<void> {
  const connection = await connected()
  if (connection?.id === undefined || !connection.connected || !wanted.has(channel)) return
  try {
    const { data } = await api(realtimeCalls.authorize, { body: { socket_id: connection.id, channel_name: channel } })
    connection.emit('subscribe', { channel, auth: data.auth })
  } catch (error) {
    // A channel that may not be heard is no failure of the page: its lists still reload on focus.
    if (!isApiError(error)) throw error
  }
}

/** Guests hear nothing (S0 §4), and a server may be set up without realtime. */
function mayListen(): boolean {
  const session = knownSession()
  if (!isSignedIn() || session === undefined) return false
  return session.config.realtime && !session.auth_user.via_invite && !session.auth_user.via_share_link
}

// The next person must not hear through the socket of the one before.
onTokensChanged(() => {
  if (tokens() !== undefined) return
  socket?.disconnect()
  socket = undefined
})

/** The one socket of the page, opened when the first channel is wanted; its code is loaded only then. */
async function connected(): Promise<Socket | undefined> {
  if (paused || !mayListen()) return undefined
  if (socket !== undefined) return socket
  const { io } = await import('socket.io-client')
  if (socket !== undefined || paused) return socket
  const opened = io({ transports: ['websocket'], auth: (give) => give({ token: tokens()?.token }) })
  socket = opened
  let lost = false
  opened.on('connect', () => {
    if (lost) void queryClient.invalidateQueries()
    for (const channel of wanted.keys()) void join(channel)
  })
  opened.on('disconnect', (reason) => {
    lost = true
    // The server drops a socket whose token was exchanged; the library reconnects by itself after any other loss only.
    if (reason === 'io server disconnect' && opened === socket && mayListen()) opened.connect()
  })
  opened.on('resync', () => void queryClient.invalidateQueries())
  opened.on('model-updated', hearModelUpdated)
  opened.on('notification', hearNotification)
  return opened
}

function hearModelUpdated(message: { channel: string; data: unknown }): void {
  const onAccount = AccountUpdated.safeParse(message.data)
  if (onAccount.success) return staleAfter.account['model-updated'](onAccount.data)
  const onRow = RowUpdated.safeParse(message.data)
  if (onRow.success) staleAfter.datatable['model-updated'](onRow.data)
}

function hearNotification(message: { data: unknown }): void {
  const raised = NotificationRaised.safeParse(message.data)
  if (raised.success) staleAfter.user.notification(raised.data)
}
