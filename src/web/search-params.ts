/** Search params are plain texts in the address, as the specification writes them (`?filter__invites=1`). */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search))
}

export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) => (isWritable(value) && value !== '' ? [[name, String(value)]] : []))
  const text = new URLSearchParams(pairs).toString()
  return text === '' ? '' : `?${text}`
}

const isWritable = (value: unknown) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
