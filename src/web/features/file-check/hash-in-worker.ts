import type { HashedFile } from './hash-file.ts'

export interface HashRequest {
  file: Blob
  /** Whether an archive is hashed like any other file. */
  whole: boolean
}

export type HashMessage = { read: number } | { hashed: HashedFile } | { failed: true }

export class UnreadableFile extends Error {}

/** Hashes a file in a worker, so that the page stays responsive. Throws UnreadableFile, or the reason of the signal. */
export function hashInWorker(request: HashRequest, onProgress: (bytes: number) => void, signal: AbortSignal): Promise<HashedFile> {
  return new Promise<HashedFile>((resolve, reject) => {
    const worker = new Worker(new URL('./hash.worker.ts', import.meta.url), { type: 'module' })
    const end = (settle: () => void) => {
      worker.terminate()
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = () => end(() => reject(signal.reason as Error)) // an abort without a reason is a DOMException
    worker.addEventListener('message', ({ data }: MessageEvent<HashMessage>) => {
      if ('read' in data) onProgress(data.read)
      else if ('hashed' in data) end(() => resolve(data.hashed))
      else end(() => reject(new UnreadableFile()))
    })
    worker.addEventListener('error', () => end(() => reject(new UnreadableFile())))
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort)
    worker.postMessage(request)
  })
}
