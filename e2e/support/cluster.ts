import { randomBytes } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { pino } from 'pino'
import { startEmbedded } from '#server/db/embedded.ts'
import { freePort, makeDataDir, removeDataDir, start, type Running } from './processes.ts'

export interface Cluster {
  a: Running
  b: Running
  /** Address of a load balancer in front of both API processes. */
  address: string
  /** The number of connections to each process. */
  connections: readonly [number, number]
  stop(): Promise<void>
}

/** Two API processes and a worker on one database. Documents are in the given store, or in a shared folder if it is empty. */
export async function startCluster(storageUrl: string): Promise<Cluster> {
  const dataDir = makeDataDir()
  const engine = await startEmbedded({ dataDir, log: pino({ level: 'silent' }), disposable: true })
  const [portA, portB] = [await freePort(), await freePort()]
  const balancer = await startBalancer([portA, portB])
  const env = {
    DATABASE_URL: engine.url,
    DATABASE_OWNER_URL: engine.ownerUrl,
    STORAGE_URL: storageUrl,
    SECRET_KEY: randomBytes(32).toString('hex'),
    WORKER: 'off',
    APP_URL: balancer.address,
  }
  const [a, b] = await Promise.all([start({ dataDir, port: portA, env }), start({ dataDir, port: portB, env })])
  const worker = await start({ dataDir, entry: 'worker', env })
  const stop = async () => {
    balancer.close()
    await Promise.all([worker, a, b].map((running) => running.stop()))
    await engine.stop()
    await removeDataDir(dataDir)
  }
  return { a, b, address: balancer.address, connections: balancer.connections, stop }
}

/** Assigns connections to the ports in turn. */
async function startBalancer(ports: readonly [number, number]) {
  const connections: [number, number] = [0, 0]
  const open = new Set<Socket>()
  const pair = (socket: Socket, other: Socket) => {
    open.add(socket)
    socket.on('error', () => other.destroy())
    socket.on('close', () => {
      open.delete(socket)
      other.destroy()
    })
  }
  const server = createServer((inside) => {
    const turn = connections[0] <= connections[1] ? 0 : 1
    connections[turn] += 1
    const outside = connect(ports[turn], '127.0.0.1')
    pair(inside, outside)
    pair(outside, inside)
    inside.pipe(outside).pipe(inside)
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const close = () => {
    server.close()
    for (const socket of open) socket.destroy()
  }
  return { address: `http://127.0.0.1:${port}`, connections, close }
}
