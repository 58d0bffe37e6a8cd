import PostalMime from 'postal-mime'
import { readText } from '../spreadsheet/read/read-text.ts'

/** The text of a web page in a file. */
export async function readHtmlFile(path: string): Promise<string> {
  let page = ''
  for await (const text of readText(path)) page += text
  return textOfHtml(page)
}

/** The parser of messages has a converter, which it applies to the parts of a message with several texts. */
export async function textOfHtml(html: string): Promise<string> {
  const parts = [`Content-Type: text/html; charset=utf-8\n\n${html}`, 'Content-Type: text/plain; charset=utf-8\n\n ']
  const boundary = `text-${crypto.randomUUID()}`
  const body = parts.map((part) => `--${boundary}\n${part}\n`).join('')
  return (await PostalMime.parse(`Content-Type: multipart/mixed; boundary="${boundary}"\n\n${body}--${boundary}--\n`)).text ?? ''
}
