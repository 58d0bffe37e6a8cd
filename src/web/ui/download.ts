const REVOKE_AFTER_MS = 60_000

/** Lets the browser download an address that answers with a file. */
export function startDownload(url: string, fileName: string): void {
  const anchor = document.createElement('a')
  anchor.href = url
  anchor.download = fileName
  document.body.append(anchor)
  anchor.click()
  anchor.remove()
}

/** Hands over a file that is already here. */
export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  startDownload(url, fileName)
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS)
}
