import pg from 'pg'
import type { Services } from '../context.ts'
import { NOTIFICATIONS_CHANNEL, type NotificationNotice } from '../notification/notify.ts'
import { type ChangeNotice, CHANGES_CHANNEL, type OpenedNotice } from '../transaction/changes.ts'

/** Notified by database triggers only (migration 015). */
const RIGHTS_CHANNEL = 'plumbline_rights'
/** Notified by a database trigger only (migration 072). */
const MAINTENANCE_CHANNEL = 'plumbline_maintenance'
const RECONNECT_MS = 1_000

interface BusHandlers {
  onChange: (notice: ChangeNotice) => void
  onOpened: (notice: OpenedNotice) => void
  onNotification: (notice: NotificationNotice) => void
  /** The rights of this user or company changed; of all users when undefined. */
  onRights: (principal: string | undefined) => void
  /** Maintenance began or ended, or its message changed. */
  onMaintenance: () => void
  /** The connection was lost and is back; notifications in between are lost. */
  onGap: () => void
}

/** Listens to the changes that any process commits, over a connection of its own. Returns a function that ends it. */
export async function listenForChanges(
  services: Services,
  { onChange, onOpened, onNotification, onRights, onMaintenance, onGap }: BusHandlers,
): Promise<() => Promise<void>> {
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  const reconnect = () => {
    if (closed) return
    clearTimeout(timer)
    timer = setTimeout(() => void connect().then(onGap, reconnect), RECONNECT_MS)
  }
  const connect = async () => {
    const next = new pg.Client({ ...services.pool.options, application_name: 'plumbline-bus', keepAlive: true })
    next.on('error', (error) => {
      services.log.warn({ err: error }, 'The change bus lost its connection')
      // The connection is lost already, so closing it can only fail.
      void next.end().catch(() => undefined)
      reconnect()
    })
    next.on('notification', ({ channel, payload }) => {
      if (channel === RIGHTS_CHANNEL) onRights(payload === '' ? undefined : payload)
      else if (channel === MAINTENANCE_CHANNEL) onMaintenance()
      else if (payload === undefined) return
      // Only our own commits write to these channels.
      else if (channel === NOTIFICATIONS_CHANNEL) onNotification(JSON.parse(payload) as NotificationNotice)
      else {
        const notice = JSON.parse(payload) as ChangeNotice | OpenedNotice
        if ('openedBy' in notice) onOpened(notice)
        else onChange(notice)
      }
    })
    await next.connect()
    await next.query(`LISTEN ${CHANGES_CHANNEL}; LISTEN ${NOTIFICATIONS_CHANNEL}; LISTEN ${RIGHTS_CHANNEL}; LISTEN ${MAINTENANCE_CHANNEL}`)
    client = next
  }

  await connect()
  return async () => {
    closed = true
    clearTimeout(timer)
    // The process stops, and a connection that is lost already is as good as closed.
    await client?.end().catch(() => undefined)
  }
}
