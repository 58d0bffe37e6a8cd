import { createHash } from 'node:crypto'

export const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The contents of a stored archive by path, and its digest, read from its bytes alone. */
export function readArchive(zip: Buffer): { members: Map<string, Buffer>; digest: string } {
  const members = new Map<string, Buffer>()
  const hash = createHash('sha256')
  let at = 0
  while (zip.readUInt32LE(at) === 0x04034b50) {
    const nameEnd = at + 30 + zip.readUInt16LE(at + 26)
    const data = nameEnd + zip.readUInt16LE(at + 28)
    const content = zip.subarray(data, data + zip.readUInt32LE(at + 18))
    members.set(zip.toString('utf8', at + 30, nameEnd), content)
    hash.update(zip.subarray(at, data)).update(createHash('sha256').update(content).digest())
    at = data + content.length
  }
  return { members, digest: `zip:${hash.update(zip.subarray(at)).digest('hex')}` }
}
