import { Readable } from 'node:stream'

/** Like Readable.from, which when destroyed waits for a pending step of the generator; here `release` must make that step fail. */
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
      // Reading has ended, and the reason for the end is passed to the callback.
      chunks.return(undefined).catch(() => undefined)
      callback(error)
    },
  })
}
