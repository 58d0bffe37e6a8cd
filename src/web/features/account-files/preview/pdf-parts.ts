import { pdfjs } from 'react-pdf'
import { createRangeReader } from './pdf-ranges.ts'

/** The parts of a document that pdf.js requests. It has no way to report a part that cannot be fetched, so this calls `onFailure`. */
export class PdfParts extends pdfjs.PDFDataRangeTransport {
  readonly #read: ReturnType<typeof createRangeReader>
  readonly #onFailure: () => void
  readonly #closing = new AbortController()

  constructor({ size, url, renew, onFailure }: { size: number; url: string; renew: () => Promise<string>; onFailure: () => void }) {
    super(size, null)
    this.#read = createRangeReader(url, renew, this.#closing.signal)
    this.#onFailure = onFailure
  }

  override requestDataRange(begin: number, end: number): void {
    const whileOpen =
      <T>(act: (value: T) => void) =>
      (value: T) => {
        if (!this.#closing.signal.aborted) act(value)
      }
    this.#read(begin, end).then(
      whileOpen((bytes) => this.onDataRange(begin, bytes)),
      whileOpen(this.#onFailure),
    )
  }

  /** Call it when the document is closed: pdf.js throws an error when it receives a part that it no longer waits for. */
  override abort(): void {
    this.#closing.abort()
  }
}
