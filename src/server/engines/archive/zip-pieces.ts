import type { PlacedMember, ZipLayout } from './zip-layout.ts'
import { centralHeader, endRecords, localHeader } from './zip-records.ts'

/** A stretch of the archive; `start` and `end` (exclusive) count from the start of the piece. */
export type Piece =
  { kind: 'bytes'; start: number; end: number; bytes: Buffer } | { kind: 'object'; start: number; end: number; key: string; size: number }

const CENTRAL_BATCH = 500

/** The pieces that make up the inclusive range, in order; each is made only when it is asked for. */
export function* piecesOf(layout: ZipLayout, start: number, end: number): Generator<Piece> {
  const clip = (at: number, length: number) => ({ start: Math.max(0, start - at), end: Math.min(length, end + 1 - at) })
  const bytes = function* (at: number, made: Buffer): Generator<Piece> {
    const within = clip(at, made.length)
    if (within.start < within.end) yield { kind: 'bytes', ...within, bytes: made }
  }

  for (let index = firstMemberAt(layout.members, start); index < layout.members.length; index += 1) {
    const member = layout.members[index]
    if (!member || member.offset > end) break
    if (start < member.dataOffset) yield* bytes(member.offset, localHeader(member))
    if (member.source.kind === 'bytes') {
      yield* bytes(member.dataOffset, member.source.bytes)
      continue
    }
    const within = clip(member.dataOffset, member.size)
    if (within.start < within.end) yield { kind: 'object', ...within, key: member.source.key, size: member.size }
  }
  if (end < layout.centralOffset) return

  let at = layout.centralOffset
  for (let index = 0; index < layout.members.length; index += CENTRAL_BATCH) {
    const headers = Buffer.concat(layout.members.slice(index, index + CENTRAL_BATCH).map(centralHeader))
    yield* bytes(at, headers)
    at += headers.length
  }
  yield* bytes(at, endRecords(layout.members.length, layout.centralLength, layout.centralOffset))
}

/** Index of the last member that begins at or before the position, by halving. */
function firstMemberAt(members: PlacedMember[], position: number): number {
  let low = 0
  let high = members.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((members[middle]?.offset ?? 0) <= position) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}
