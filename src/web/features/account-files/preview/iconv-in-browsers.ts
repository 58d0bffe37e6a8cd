/** Replaces `iconv-lite`, which needs the Buffer of Node. The reader of Outlook messages only decodes texts with it (vite.config.ts). */
export const decode = (bytes: Uint8Array, encoding: string): string => new TextDecoder(labelOf(encoding)).decode(bytes)

/** Code pages are given by their numbers, too. */
function labelOf(encoding: string): string {
  const label = /^\d+$/.test(encoding) ? `windows-${encoding}` : encoding
  try {
    return new TextDecoder(label).encoding
  } catch {
    return 'windows-1252'
  }
}
