import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange, DownloadOptions } from './storage.ts'

/** Headers of stored documents: no scripts, no content sniffing, no caching. */
export const DOWNLOAD_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store',
} as const

interface Representation {
  /** Bytes. */
  size: number
  /** Without quotes; strong. */
  etag: string
  modifiedAt?: Date
}

type RangeHeaders = { [name in 'range' | 'if-range']?: string | string[] | undefined }

/** Sets status and headers of the response for stored bytes (GET, HEAD, Range, If-Range). Returns the range of its body, if it has one. */
export function startDownload(
  request: FastifyRequest,
  reply: FastifyReply,
  stored: Representation,
  { contentType, disposition, fileName }: Pick<DownloadOptions, 'contentType' | 'disposition' | 'fileName'>,
): ByteRange | undefined {
  const { status, range, headers } = answerRange(request.headers, stored)
  const named = { 'content-type': contentType, 'content-disposition': contentDisposition(disposition, fileName) }
  void reply.status(status).headers({ ...headers, ...DOWNLOAD_HEADERS, ...named })
  return request.method === 'HEAD' ? undefined : range
}

/** The response to a GET or HEAD with Range and If-Range (RFC 9110 section 14). Several ranges at once are answered with the whole file. */
export function answerRange(request: RangeHeaders, { size, etag, modifiedAt }: Representation) {
  const headers: Record<string, string> = { 'accept-ranges': 'bytes', etag: `"${etag}"` }
  if (modifiedAt) headers['last-modified'] = modifiedAt.toUTCString()

  const ifRange = request['if-range']
  const isUnchanged = ifRange === undefined || ifRange === headers['etag'] || ifRange === headers['last-modified']
  const wanted = isUnchanged ? parseRange(String(request.range ?? ''), size) : 'all'
  if (wanted === 'none') return { status: 416, headers: { ...headers, 'content-range': `bytes */${size}`, 'content-length': '0' } }
  if (wanted === 'all') {
    headers['content-length'] = String(size)
    return size === 0 ? { status: 200, headers } : { status: 200, range: { start: 0, end: size - 1 }, headers }
  }
  headers['content-length'] = String(wanted.end - wanted.start + 1)
  headers['content-range'] = `bytes ${wanted.start}-${wanted.end}/${size}`
  return { status: 206, range: wanted, headers }
}

function parseRange(header: string, size: number): ByteRange | 'all' | 'none' {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header.replaceAll(' ', '')) ?? []
  if (first === '' && last === '') return 'all'
  if (first === '') return Number(last) === 0 || size === 0 ? 'none' : { start: Math.max(0, size - Number(last)), end: size - 1 }
  if (last !== '' && Number(last) < Number(first)) return 'all'
  if (Number(first) >= size) return 'none'
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}

/** Content-Disposition with an ASCII name for old clients and the full name as of RFC 5987. */
export function contentDisposition(disposition: 'attachment' | 'inline', fileName: string): string {
  const ascii = fileName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|["\\]/g, '_')
  const full = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${disposition}; filename="${ascii}"; filename*=UTF-8''${full}`
}
