// The yardstick of downloads: node:http that sends one finished file, without rights, records or ranges.
import { createReadStream, statSync } from 'node:fs'
import { createServer } from 'node:http'

const BUFFER_BYTES = 1024 ** 2
const path = process.env['BARE_FILE'] ?? ''

const server = createServer((request, response) => {
  if (request.url === '/ready') return response.end()
  response.setHeader('content-length', statSync(path).size)
  return createReadStream(path, { highWaterMark: BUFFER_BYTES }).pipe(response)
})
server.listen(Number(process.env['PORT']), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
