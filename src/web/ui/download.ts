const REVOKE_AFTER_MS = 60_000

/** Downloads from an address. */
export function startDownload(url: string, fileName: string): void {
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = fileName
  document.body.append(anchor)
  anchor.click()
  anchor.remove()
}

/** Downloads a file that the page has already loaded. */
export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  startDownload(url, fileName)
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS)
}
