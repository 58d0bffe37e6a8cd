/** A value that is made at its first use, so that neither the start of the server nor the first page waits for what it does not need. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
