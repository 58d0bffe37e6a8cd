import pg from 'pg'
import type { Services } from '../context.ts'
import { CHANGES_CHANNEL, type ChangeNotice } from '../transaction/changes.ts'

/** Written by triggers alone (migration 015). */
const RIGHTS_CHANNEL = 'plumbline_rights'
const RECONNECT_MS = 1_000

interface BusHandlers {
  onChange: (notice: ChangeNotice) => void
  /** The rights of this user or company changed; of anybody when it is undefined. */
  onRights: (principal: string | undefined) => void
  onGap: () => void
}

/**
 * Hears what any process committed, over one connection of its own. After a gap `onGap` is called: what was said meanwhile is
 * lost, so whoever listens must look again.
 */
export async function listenForChanges(
  services: Services,
  { onChange, onRights, onGap }: BusHandlers,
): Promise<{ close(): Promise<void> }> {
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  const again = () => {
    if (closed) return
    clearTimeout(timer)
    timer = setTimeout(() => void connect().then(onGap, again), RECONNECT_MS)
  }
  const connect = async () => {
    const next = new pg.Client({ ...services.pool.options, application_name: 'plumbline-bus', keepAlive: true })
    next.on('error', (error) => {
      services.log.warn({ err: error }, 'The change bus lost its connection')
      void next.end().catch(() => undefined)
      again()
    })
    next.on('notification', ({ channel, payload }) => {
      if (channel === RIGHTS_CHANNEL) onRights(payload === '' ? undefined : payload)
      else if (payload !== undefined) onChange(JSON.parse(payload) as ChangeNotice) // only our own commits write to this channel
    })
    await next.connect()
    await next.query(`LISTEN ${CHANGES_CHANNEL}; LISTEN ${RIGHTS_CHANNEL}`)
    client = next
  }

  await connect()
  return {
    close: async () => {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => undefined)
    },
  }
}
