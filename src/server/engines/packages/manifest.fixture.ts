import { MANIFEST_PART } from '#contract/manifest.ts'
import { partOfWord } from '../word/word.fixture.ts'

/** The manifest in a Word or Excel file. */
export async function manifestIn(bytes: Buffer) {
  const xml = await partOfWord(bytes, MANIFEST_PART)
  return JSON.parse(/<manifest xmlns="urn:package-manifest:1">([^<]*)<\/manifest>$/.exec(xml)?.[1] ?? '')
}
