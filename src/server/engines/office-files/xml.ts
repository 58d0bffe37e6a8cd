export const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

// oxlint-disable-next-line no-control-regex -- the characters XML forbids, and those with a meaning in it
const NEEDS_ESCAPE = /[&<>"_\u0000-\u0008\u000b-\u001f\ud800-\udfff\ufffe\uffff]/

/** Escapes text for XML. Drops characters that XML 1.0 cannot hold; text that looks like an Office escape (`_x000D_`) stays as it is. */
export function escapeXml(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex -- the characters XML forbids
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      .replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
      .replaceAll('\r', '_x000D_')
  )
}
