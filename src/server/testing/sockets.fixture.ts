import type { Socket } from 'socket.io-client'
import { vi } from 'vitest'
import type { As } from './app.ts'

export interface ReceivedEvent {
  channel: string
  data: Record<string, unknown>
}

export const signatureFor = async (as: As, socket: Socket, channel_name: string): Promise<string> =>
  (await as.post('/api/v1/broadcasting/auth', { socket_id: socket.id, channel_name })).body.data?.auth ?? 'rejected'

export const subscribeWith = async (socket: Socket, channel: unknown, auth: unknown): Promise<boolean> =>
  ((await socket.timeout(5_000).emitWithAck('subscribe', { channel, auth })) as { ok: boolean }).ok

/** Resolves when the page has to refetch everything. */
export const resynced = ({ socket }: { socket: Socket }) => new Promise((resolve) => socket.once('resync', resolve))

/** Is called when the page has to do so. */
export function watchResync({ socket }: { socket: Socket }) {
  const called = vi.fn<() => void>()
  socket.once('resync', called)
  return called
}
