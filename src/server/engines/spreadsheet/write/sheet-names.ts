const SHEET_NAME_CHARACTERS = 31

/** Names that Excel accepts: none of `[ ] : * ? / \`, no outer apostrophe, at most 31 characters, unique ignoring case. */
export function sheetNames(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((name, at) => {
    const base =
      name
        .replace(/[[\]:*?/\\]/g, '-')
        .replace(/^'+|'+$/g, '')
        .trim()
        .slice(0, SHEET_NAME_CHARACTERS) || `Sheet${at + 1}`
    let unique = base
    for (let copy = 2; used.has(unique.toLowerCase()); copy++) unique = `${base.slice(0, SHEET_NAME_CHARACTERS - 5)} (${copy})`
    used.add(unique.toLowerCase())
    return unique
  })
}
