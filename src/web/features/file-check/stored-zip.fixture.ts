/** The layout of an archive as far as the page reads it: each member with its header, then the beginning of the directory. */
export function storedZip(members: readonly (readonly [path: string, content: string])[], method = 0): Blob {
  const parts = members.flatMap(([path, content]) => {
    const [name, bytes] = [new TextEncoder().encode(path), new TextEncoder().encode(content)]
    const header = new DataView(new ArrayBuffer(30))
    header.setUint32(0, 0x04034b50, true)
    header.setUint16(8, method, true)
    header.setUint32(18, bytes.length, true)
    header.setUint16(26, name.length, true)
    return [header.buffer, name, bytes]
  })
  return new Blob([...parts, new Uint8Array([0x50, 0x4b, 1, 2]), 'the directory, which the page only hashes'])
}
