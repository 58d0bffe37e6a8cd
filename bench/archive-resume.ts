import { createHash, randomInt } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'

/** Interrupts a download at random bytes, resumes it with Range and returns the SHA-256 of the received bytes. */
export async function resumedDigest(url: string, cuts: number): Promise<string> {
  const hash = createHash('sha256')
  let arrived = 0
  let etag: string | undefined
  let total = Number.POSITIVE_INFINITY
  for (let cut = 0; arrived < total; cut += 1) {
    const answer = await ask(url, arrived, etag)
    if (answer.statusCode !== (arrived === 0 ? 200 : 206)) throw new Error(`A download from byte ${arrived} answers ${answer.statusCode}`)
    etag = answer.headers.etag
    if (arrived === 0) total = Number(answer.headers['content-length'])
    const breakAt = cut < cuts ? arrived + randomInt(1, Math.max(2, Math.floor((total - arrived) / 2))) : total
    arrived += await readUpTo(answer, breakAt - arrived, (chunk) => hash.update(chunk))
  }
  return hash.digest('hex')
}

const ask = (url: string, from: number, etag: string | undefined): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = from === 0 ? {} : { range: `bytes=${from}-`, ...(etag === undefined ? {} : { 'if-range': etag }) }
    get(url, { headers, agent: false }, resolve).on('error', reject)
  })

/** Reads this number of bytes, then closes the connection. */
async function readUpTo(answer: IncomingMessage, bytes: number, take: (chunk: Buffer) => void): Promise<number> {
  let taken = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    // a response without an encoding yields buffers
    const wanted = chunk.subarray(0, bytes - taken)
    take(wanted)
    taken += wanted.length
    if (taken >= bytes) break
  }
  answer.destroy()
  return taken
}
