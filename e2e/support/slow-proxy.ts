import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

const SLICE_BYTES = 512 * 1024
const PAUSE_MS = 20

/** A server in front of the product that passes large answers on slowly, so that a download is still running when something changes. */
export async function slowProxy(address: string): Promise<{ address: string; close: () => Promise<void> }> {
  const { host, hostname, port } = new URL(address)
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host }
    const passed = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      const isDownload = answer.headers['content-disposition'] !== undefined
      if (!isDownload) return void answer.pipe(outgoing)
      const pass = () => {
        const slice: unknown = answer.read(SLICE_BYTES) ?? answer.read()
        if (slice !== null) outgoing.write(slice)
      }
      const timer = setInterval(pass, PAUSE_MS)
      answer.on('end', () => outgoing.end())
      answer.on('close', () => {
        clearInterval(timer)
        if (!answer.complete) outgoing.destroy()
      })
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = server.address() as AddressInfo // a TCP server listens
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { address: `http://127.0.0.1:${own.port}`, close }
}
