import { Readable } from 'node:stream'

/**
 * Like Readable.from, but destroying calls `release` at once: Readable.from waits for the generator, which can itself wait for bytes
 * that never arrive. `release` must make a pending step of the generator fail.
 */
export function byteStream(chunks: AsyncGenerator<Buffer>, release: () => void): Readable {
  return new Readable({
    read() {
      chunks.next().then(
        ({ done, value }) => this.push(done ? null : value),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, callback) {
      release()
      chunks.return(undefined).catch(() => undefined)
      callback(error)
    },
  })
}
