const REVOKE_AFTER_MS = 60_000

/** Downloads from an address. */
export function startDownload(url: string, fileName: string): void {
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click()
}

/** Downloads a file that the page has already loaded. */
export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  startDownload(url, fileName)
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS)
}
