import { connect, type Socket } from 'node:net'

export interface Request {
  path: string
  headers?: Record<string, string>
  /** Sent with POST as JSON. */
  body?: object
}

interface Load {
  address: string
  connections: number
  seconds: number
  /** The nth request over all connections, from 0. */
  request: (number: number) => Request
  /** Whether 404 is an answer, as of a search. */
  mayFindNothing?: boolean
}

export interface Loaded {
  perSecond: number
  /** Milliseconds from a request to the last byte of its answer. */
  latencies: number[]
}

const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * Sends requests on keep-alive connections for `seconds`, one request at a time on each. Writes HTTP to sockets directly, because
 * a full HTTP client costs more than the compared servers. Throws on any status other than 200, 201 and 304.
 */
export async function load({ address, connections, seconds, request, mayFindNothing = false }: Load): Promise<Loaded> {
  const { hostname, port } = new URL(address)
  const latencies: number[] = []
  let number = 0
  const begun = performance.now()
  const until = begun + seconds * 1_000
  const one = async () => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    const ask = asker(socket, mayFindNothing)
    try {
      while (performance.now() < until) {
        const { path, headers, body } = request(number)
        number += 1
        const json = body === undefined ? '' : JSON.stringify(body)
        const sent = json === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) }
        const lines = Object.entries({ host: `${hostname}:${port}`, ...headers, ...sent }).map(([name, value]) => `${name}: ${value}\r\n`)
        const asked = performance.now()
        await ask(`${json === '' ? 'GET' : 'POST'} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${json}`, path)
        latencies.push(performance.now() - asked)
      }
    } finally {
      socket.destroy()
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  return { perSecond: latencies.length / ((performance.now() - begun) / 1_000), latencies }
}

function asker(socket: Socket, mayFindNothing: boolean) {
  let received: Buffer[] = []
  let missing = -1
  let asked = ''
  let settle: { resolve: () => void; reject: (error: Error) => void } | undefined
  socket.on('error', (error) => settle?.reject(error))
  socket.on('close', () => settle?.reject(new Error('The server closed the connection')))
  socket.on('data', (chunk: Buffer) => {
    received.push(chunk)
    if (missing < 0) {
      const all = received.length === 1 ? chunk : Buffer.concat(received)
      const end = all.indexOf(HEAD_END)
      if (end < 0) return
      const head = all.toString('latin1', 0, end)
      const status = Number(head.slice(9, 12))
      if (status !== 200 && status !== 201 && status !== 304 && !(mayFindNothing && status === 404))
        return settle?.reject(new Error(`${asked}: ${all.toString('utf8').slice(0, 600)}`))
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
      if (length === undefined && status !== 304) return settle?.reject(new Error('An answer without its length'))
      missing = Number(length ?? 0) - (all.length - end - HEAD_END.length)
    } else missing -= chunk.length
    if (missing > 0) return
    received = []
    missing = -1
    settle?.resolve()
  })
  return (text: string, path: string) =>
    new Promise<void>((resolve, reject) => {
      asked = path
      settle = { resolve, reject }
      socket.write(text)
    })
}
