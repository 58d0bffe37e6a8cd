import { readFileSync } from 'node:fs'

/** Resident bytes of the processes in which the product reads files now; 0 on systems without /proc, and for a product that has ended. */
export function readersBytes(productId: number | undefined): number {
  const children = textOf(`/proc/${productId}/task/${productId}/children`).split(' ').filter(Boolean)
  // The embedded database is a child, too.
  const readers = children.filter((id) => textOf(`/proc/${id}/cmdline`).includes('.process.ts'))
  return readers.reduce((sum, id) => sum + residentBytes(id), 0)
}

const residentBytes = (id: string): number => Number(/^VmRSS:\s+(\d+) kB$/m.exec(textOf(`/proc/${id}/status`))?.[1] ?? 0) * 1_024

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // it has ended meanwhile
  }
}
