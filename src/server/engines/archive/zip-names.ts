/** A fault of the caller, who makes the names: nothing a person could answer. */
export function assertNames(names: Iterable<string>): void {
  const files = new Set<string>()
  const folders = new Set<string>()
  for (const name of names) {
    const segments = name.split('/')
    const safe = segments.every((part) => part !== '' && part !== '.' && part !== '..') && !/[\\:\p{Cc}]/u.test(name) && name.isWellFormed()
    if (!safe || Buffer.byteLength(name) > 0xffff) throw new Error(`The archive member ${JSON.stringify(name)} has no safe name.`)
    // File systems of Windows and macOS fold case and composition.
    const folded = name.normalize('NFC').toLowerCase()
    if (files.has(folded)) throw new Error(`Two archive members are named ${JSON.stringify(name)}, ignoring case.`)
    files.add(folded)
    for (let slash = folded.indexOf('/'); slash >= 0; slash = folded.indexOf('/', slash + 1)) folders.add(folded.slice(0, slash))
  }
  for (const file of files) {
    if (folders.has(file)) throw new Error(`The archive member ${JSON.stringify(file)} is both a file and a folder.`)
  }
}
