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
  /** Absent without a body. */
  range?: ByteRange
  headers: Record<string, string>
}

interface RangeHeaders {
  range?: string | undefined
  'if-range'?: string | string[] | undefined
}

/** The response to a GET or HEAD with Range and If-Range (RFC 9110 section 14). Several ranges at once are answered with the whole file. */
export function answerRange(request: RangeHeaders, { size, etag, modifiedAt }: Representation): RangeAnswer {
  const headers: Record<string, string> = { 'accept-ranges': 'bytes', etag: `"${etag}"` }
  if (modifiedAt) headers['last-modified'] = modifiedAt.toUTCString()

  const wanted = isUnchanged(request['if-range'], headers) ? parseRange(request.range, size) : 'all'
  if (wanted === 'none') return { status: 416, headers: { ...headers, 'content-range': `bytes */${size}`, 'content-length': '0' } }
  if (wanted === 'all') {
    headers['content-length'] = String(size)
    return size === 0 ? { status: 200, headers } : { status: 200, range: { start: 0, end: size - 1 }, headers }
  }
  headers['content-length'] = String(wanted.end - wanted.start + 1)
  headers['content-range'] = `bytes ${wanted.start}-${wanted.end}/${size}`
  return { status: 206, range: wanted, headers }
}

function isUnchanged(ifRange: string | string[] | undefined, headers: Record<string, string>): boolean {
  return ifRange === undefined || ifRange === headers['etag'] || ifRange === headers['last-modified']
}

function parseRange(header: string | undefined, size: number): ByteRange | 'all' | 'none' {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(' ', '') ?? '')
  const [, first = '', last = ''] = match ?? []
  if (first === '' && last === '') return 'all'
  if (first === '') return Number(last) === 0 || size === 0 ? 'none' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  if (last !== '' && Number(last) < Number(first)) return 'all'
  if (Number(first) >= size) return 'none'
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
