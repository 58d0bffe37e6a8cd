/** Buffers of large reads, used again: left to the garbage collector, 2 GB of them cost a fifth of the time and 60 MB at any moment. */

export const POOLED_BYTES = 512 * 1024
const KEPT_BUFFERS = 16
const POOL_FROM_BYTES = 64 * 1024

const free: ArrayBuffer[] = []
const ours = new WeakSet<ArrayBufferLike>()

/** A buffer for reading at most `wanted` bytes; its content is whatever was there before. */
export function takeBuffer(wanted: number): Buffer {
  if (wanted < POOL_FROM_BYTES) return Buffer.allocUnsafeSlow(wanted)
  const memory = free.pop() ?? new ArrayBuffer(POOLED_BYTES)
  ours.add(memory)
  return Buffer.from(memory, 0, Math.min(wanted, POOLED_BYTES))
}

/** For whoever has finished with a chunk for good and holds the only reference; chunks from elsewhere are ignored. */
export function giveBack(chunk: Buffer): void {
  const memory = chunk.buffer
  if (!(memory instanceof ArrayBuffer) || !ours.delete(memory) || free.length >= KEPT_BUFFERS) return
  free.push(memory)
}
