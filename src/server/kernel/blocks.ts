/**
 * Joins the chunks of a stream into blocks of at least `least` bytes; only the last one can be smaller.
 * @param first the least bytes of the first block, 0 to pass its first chunk on at once
 */
export async function* blocksOf(
  body: AsyncIterable<Buffer | string>,
  { least, first = least }: { least: number; first?: number },
): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let bytes = 0
  let needed = first
  for await (const piece of body) {
    const chunk = typeof piece === 'string' ? Buffer.from(piece) : piece
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes < needed) continue
    yield Buffer.concat(chunks)
    chunks = []
    bytes = 0
    needed = least
  }
  if (bytes > 0) yield Buffer.concat(chunks)
}
