// Saves a download with little work of its own: large reads and large writes. curl writes it in blocks of some 8 KB, and needs longer for
// them than the server for sending. Usage: node bench/receive.ts <URL> <new file>
import { closeSync, openSync, writeSync } from 'node:fs'
import { connect } from 'node:net'

const BUFFER_BYTES = 1024 ** 2
const END_OF_HEAD = '\r\n\r\n'

const [address = '', path = ''] = process.argv.slice(2)
const { hostname, port, host, pathname, search } = new URL(address)
const file = openSync(path, 'wx')
let head = ''
let left = Number.NaN

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}

function take(bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written)
  left -= bytes.length
  if (left > 0) return
  closeSync(file)
  socket.destroy()
}

/** The part of the first bytes that belongs to the file, once the head is complete. */
function bodyOf(bytes: Buffer): Buffer | undefined {
  head += bytes.toString('latin1')
  const end = head.indexOf(END_OF_HEAD)
  if (end < 0) return undefined
  const [status = ''] = head.split('\r\n', 1)
  if (!status.startsWith('HTTP/1.1 200')) fail(`The answer is ${status}`)
  left = Number(/^content-length: (\d+)/im.exec(head)?.[1])
  if (Number.isNaN(left)) fail('The answer has no length')
  return Buffer.from(head.slice(end + END_OF_HEAD.length), 'latin1')
}

const socket = connect({
  host: hostname,
  port: Number(port),
  onread: {
    buffer: Buffer.allocUnsafeSlow(BUFFER_BYTES),
    callback(length, buffer) {
      const bytes = Buffer.from(buffer.buffer, buffer.byteOffset, length)
      const body = Number.isNaN(left) ? bodyOf(bytes) : bytes
      if (body !== undefined) take(body)
      return true
    },
  },
})
socket.once('error', (error) => fail(error.message))
socket.once('end', () => fail('The connection was closed before the end of the file'))
socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
