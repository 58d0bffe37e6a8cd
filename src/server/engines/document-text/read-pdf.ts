import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { PartCollector } from './collect-parts.ts'
import type { TextFacts } from './text-facts.ts'

/** Maps of the characters of Asian fonts that PDF files do not contain. */
const CHARACTER_MAPS = `${join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'cmaps')}/`
const NO_MESSAGES = 0

/** Reads the text layer of each page. Pictures are not decoded and scripts are not run. */
export async function readPdf(path: string, collector: PartCollector, facts: TextFacts, place = 'Page'): Promise<void> {
  // The variant for Node; it reads on this thread.
  const { getDocument, PasswordException } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const task = getDocument({
    data: new Uint8Array(await readFile(path)),
    verbosity: NO_MESSAGES,
    cMapUrl: CHARACTER_MAPS,
    cMapPacked: true,
    useSystemFonts: false,
    disableFontFace: true,
  })
  try {
    const pdf = await task.promise
    facts.pages = pdf.numPages
    for (let number = 1; number <= pdf.numPages; number += 1) {
      collector.startPage()
      const page = await pdf.getPage(number)
      const { items } = await page.getTextContent()
      const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
      page.cleanup()
      if (text.trim() === '') facts.pagesWithoutText += 1
      collector.add({ page: place === 'Page' ? number : null, place: `${place} ${number}`, text })
    }
  } catch (error) {
    if (error instanceof PasswordException) throw new EncryptedDocument()
    throw error
  } finally {
    await task.destroy()
  }
}

/** Thrown for a document that needs a password. */
export class EncryptedDocument extends Error {}
