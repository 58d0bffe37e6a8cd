export const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** The characters that XML 1.0 cannot hold, for a class of a regular expression. */
const FORBIDDEN = '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\ufffe\\uffff'
const EACH_FORBIDDEN = new RegExp(`[${FORBIDDEN}]`, 'g')
const NEEDS_ESCAPE = new RegExp(`[&<>"_\\r\\ud800-\\udfff${FORBIDDEN}]`)

/** Escapes text for XML. Drops forbidden characters; text that looks like an Office escape (`_x000D_`) stays as it is. */
export function escapeXml(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return text
  return text
    .toWellFormed()
    .replace(EACH_FORBIDDEN, '')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
    .replaceAll('\r', '_x000D_')
}
