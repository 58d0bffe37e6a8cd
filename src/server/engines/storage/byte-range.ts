import type { ByteRange } from './storage.ts'

export interface Representation {
  /** Bytes. */
  size: number
  /** Without quotes; strong. */
  etag: string
  modifiedAt?: Date
}

export interface RangeAnswer {
  status: 200 | 206 | 416
  /** Absent when there is nothing to send. */
  range?: ByteRange
  headers: Record<string, string>
}

interface AskedFor {
  range?: string | undefined
  'if-range'?: string | string[] | undefined
}

/** Decides what a GET or HEAD with Range and If-Range gets (RFC 9110 section 14); several ranges at once are answered with everything. */
export function answerRange(asked: AskedFor, { size, etag, modifiedAt }: Representation): RangeAnswer {
  const headers: Record<string, string> = { 'accept-ranges': 'bytes', etag: `"${etag}"` }
  if (modifiedAt) headers['last-modified'] = modifiedAt.toUTCString()

  const wanted = stillTheSame(asked['if-range'], headers) ? parseRange(asked.range, size) : 'everything'
  if (wanted === 'nothing') return { status: 416, headers: { ...headers, 'content-range': `bytes */${size}`, 'content-length': '0' } }
  if (wanted === 'everything') {
    headers['content-length'] = String(size)
    return size === 0 ? { status: 200, headers } : { status: 200, range: { start: 0, end: size - 1 }, headers }
  }
  headers['content-length'] = String(wanted.end - wanted.start + 1)
  headers['content-range'] = `bytes ${wanted.start}-${wanted.end}/${size}`
  return { status: 206, range: wanted, headers }
}

function stillTheSame(ifRange: string | string[] | undefined, headers: Record<string, string>): boolean {
  return ifRange === undefined || ifRange === headers['etag'] || ifRange === headers['last-modified']
}

function parseRange(header: string | undefined, size: number): ByteRange | 'everything' | 'nothing' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(' ', '') ?? '')
  const [, first = '', last = ''] = match ?? []
  if (first === '' && last === '') return 'everything'
  if (first === '') return Number(last) === 0 || size === 0 ? 'nothing' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  if (last !== '' && Number(last) < Number(first)) return 'everything'
  if (Number(first) >= size) return 'nothing'
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
