import { answerParent } from './isolated-process.ts'

export interface HostileRequest {
  does:
    | 'abort'
    | 'exit'
    | 'fill the heap'
    | 'fill buffers'
    | 'loop'
    | 'be killed'
    | 'throw'
    | 'throw later'
    | 'write errors'
    | 'get signals'
    | 'count'
}

export type HostileMessage = { id: number; environment: NodeJS.ProcessEnv } | { count: number; preparedMs: number }

const COUNTED = 20

/** Does to its own process what a file could do to the process that reads it. First it reports its process. */
await answerParent<HostileRequest, HostileMessage>(async ({ does }, { post, send }) => {
  post({ id: process.pid, environment: process.env })
  if (does === 'abort') process.abort()
  if (does === 'exit') process.exit(0)
  if (does === 'be killed') process.kill(process.pid, 'SIGKILL')
  if (does === 'throw') throw Object.assign(new Error('Unreadable'), { code: 'EIO' })
  if (does === 'throw later') setTimeout(() => throwLater())
  if (does === 'write errors') for (let line = 0; line < 20_000; line += 1) process.stderr.write(`Line ${line} of a hostile file\n`)
  if (does === 'get signals') {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.kill(process.pid, signal)
    post({ count: 1, preparedMs: Date.now() })
  }
  if (does === 'count') for (let count = 1; count <= COUNTED; count += 1) await send({ count, preparedMs: Date.now() })
  if (does === 'loop') for (;;);
  const taken: unknown[] = []
  if (does === 'fill the heap') for (;;) taken.push({ number: Math.random() })
  if (does === 'fill buffers') for (;;) taken.push(Buffer.alloc(1_048_576, 1))
  if (does === 'throw later') await new Promise(() => undefined)
})

function throwLater(): never {
  throw new Error('Unreadable later')
}
