import { randomBytes } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { pino } from 'pino'
import { startEmbedded } from '#server/db/embedded.ts'
import { freePort, makeDataDir, removeDataDir, start, type Running } from './processes.ts'

export interface Cluster {
  a: Running
  b: Running
  /** One address for both API processes, each connection to the other one in turn. */
  address: string
  /** How many connections each of them was given. */
  given: readonly [number, number]
  stop(): Promise<void>
}

/** Two API processes and a worker on one database; documents in the given store, or in one folder when it is empty. */
export async function startCluster(storageUrl: string): Promise<Cluster> {
  const dataDir = makeDataDir()
  const engine = await startEmbedded({ dataDir, log: pino({ level: 'silent' }), disposable: true })
  const [portA, portB] = [await freePort(), await freePort()]
  const door = await openDoor([portA, portB])
  const env = {
    DATABASE_URL: engine.url,
    STORAGE_URL: storageUrl,
    SECRET_KEY: randomBytes(32).toString('hex'),
    WORKER: 'off',
    APP_URL: door.address,
  }
  const [a, b] = await Promise.all([start({ dataDir, port: portA, env }), start({ dataDir, port: portB, env })])
  const worker = await start({ dataDir, entry: 'worker', env })
  const stop = async () => {
    door.close()
    await Promise.all([worker, a, b].map((running) => running.stop()))
    await engine.stop()
    await removeDataDir(dataDir)
  }
  return { a, b, address: door.address, given: door.given, stop }
}

/** Hands each connection to the next of the ports, as a load balancer without a memory would. */
async function openDoor(ports: readonly [number, number]) {
  const given: [number, number] = [0, 0]
  const open = new Set<Socket>()
  const hold = (socket: Socket, other: Socket) => {
    open.add(socket)
    socket.on('error', () => other.destroy())
    socket.on('close', () => {
      open.delete(socket)
      other.destroy()
    })
  }
  const server = createServer((inside) => {
    const turn = given[0] <= given[1] ? 0 : 1
    given[turn] += 1
    const outside = connect(ports[turn], '127.0.0.1')
    hold(inside, outside)
    hold(outside, inside)
    inside.pipe(outside).pipe(inside)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
  return { address: `http://127.0.0.1:${port}`, given, close }
}
