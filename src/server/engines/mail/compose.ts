import { escapeHtml } from '#server/kernel/html.ts'
import type { Message } from './mail.ts'

export interface Content {
  to: string
  key: string
  subject: string
  product: string
  paragraphs: readonly string[]
  button?: { label: string; url: string }
  /** Shown large. */
  code?: string
}

/** A message in the layout of the product, as plain text and as HTML. */
export function compose({ to, key, subject, product, paragraphs, button, code }: Content): Message {
  const text = [
    ...paragraphs,
    ...(code === undefined ? [] : [code]),
    ...(button === undefined ? [] : [`${button.label}: ${button.url}`]),
    `-- \n${product}`,
  ].join('\n\n')
  const html = `<!doctype html><html lang="en"><body style="margin:0;background:#faf8f4;font:15px/1.6 Helvetica,Arial,sans-serif;color:#14202b">
<div style="max-width:34rem;margin:0 auto;padding:32px 24px"><p style="font-weight:600">${escapeHtml(product)}</p>
<div style="background:#fff;border:1px solid #e4ded2;border-radius:6px;padding:24px">
${paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')}
${code === undefined ? '' : `<p style="font-size:28px;letter-spacing:6px;font-weight:600">${escapeHtml(code)}</p>`}
${button === undefined ? '' : `<p><a href="${escapeHtml(button.url)}" style="display:inline-block;background:#7d541c;color:#fff;text-decoration:none;padding:10px 18px;border-radius:6px">${escapeHtml(button.label)}</a></p><p style="font-size:13px;color:#5b6670">${escapeHtml(button.url)}</p>`}
</div></div></body></html>`
  return { to, key, subject, text, html }
}
