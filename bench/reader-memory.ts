import { readFileSync } from 'node:fs'

/**
 * Bytes of memory that the processes in which the product reads files have for themselves now. The program of Node, which they share with
 * the server, is counted there. 0 on systems without /proc, and for a product that has ended.
 */
export function readersBytes(productId: number | undefined): number {
  const children = textOf(`/proc/${productId}/task/${productId}/children`).split(' ').filter(Boolean)
  // The embedded database is a child, too.
  const readers = children.filter((id) => textOf(`/proc/${id}/cmdline`).includes('.process.ts'))
  return readers.reduce((sum, id) => sum + ownBytes(id), 0)
}

const ownBytes = (id: string): number => Number(/^RssAnon:\s+(\d+) kB$/m.exec(textOf(`/proc/${id}/status`))?.[1] ?? 0) * 1_024

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // it has ended meanwhile
  }
}
