import { buffer } from 'node:stream/consumers'

const MARGINS = { top: 40, bottom: 56, left: 56, right: 56 }

/** A PDF on letter pages in Helvetica: the title, then the lines. Lines hold Latin text and wrap at words. */
export async function renderPdf(title: string, lines: readonly string[], createdAt: Date): Promise<Buffer> {
  // Imported on use: loading it takes 0.2 s, which a server without a demo to create does not need.
  const { default: PDFDocument } = await import('pdfkit').catch((cause: unknown) => {
    throw new Error('The demo needs the development packages. Run "npm ci", or set SEED=none to start without the demo.', { cause })
  })
  const document = new PDFDocument({ size: 'LETTER', margins: MARGINS, info: { Title: title, CreationDate: createdAt } })
  document.fontSize(16).text(title).moveDown().fontSize(10).text(lines.join('\n'), { lineGap: 2.4 })
  document.end()
  return buffer(document)
}
