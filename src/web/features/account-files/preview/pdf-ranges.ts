/**
 * Fetches parts of a document by its signed link. Links are valid for a minute and a preview may be open for longer, so a part that the
 * store rejects is fetched once more with a new link. Several parts that are rejected at the same time share one new link.
 * When the document is closed, parts on their way are canceled.
 */
export function createRangeReader(first: string, renew: () => Promise<string>, closed: AbortSignal) {
  let url = first
  let renewing: Promise<void> | undefined

  const renewLink = (): Promise<void> => {
    renewing ??= renew()
      .then((next) => {
        url = next
      })
      .finally(() => (renewing = undefined))
    return renewing
  }

  return async (begin: number, end: number): Promise<Uint8Array> => {
    const used = url
    try {
      return await fetchRange(used, begin, end, closed)
    } catch (error) {
      if (closed.aborted) throw error
      if (url === used) await renewLink()
      return fetchRange(url, begin, end, closed)
    }
  }
}

async function fetchRange(url: string, begin: number, end: number, signal: AbortSignal): Promise<Uint8Array> {
  const response = await fetch(url, { headers: { range: `bytes=${begin}-${end - 1}` }, credentials: 'omit', signal })
  if (!response.ok) throw new Error(`A part of the document could not be fetched (${response.status}).`)
  const bytes = new Uint8Array(await response.arrayBuffer())
  // A store without ranges answers the whole document.
  return response.status === 206 ? bytes : bytes.slice(begin, end)
}
