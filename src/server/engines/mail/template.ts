import { fileURLToPath } from 'node:url'
import { escapeHtml } from '#server/kernel/html.ts'
import { subjectLine } from './subject.ts'
import { darkStyle, LIGHT } from './template-colors.ts'

/** The product's mark is a part of the message, so a reader sees it without loading anything from the web. */
export const MARK = { cid: 'mark@product', filename: 'mark.png', path: fileURLToPath(new URL('./mark.png', import.meta.url)) }

/** Text, text with a link, or the words of a user. */
type Paragraph = string | { text: string; url: string } | { quote: string }

export interface Content {
  to: string
  replyTo?: string
  key: string
  subject: string
  product: string
  /** Linked by the footer. */
  appUrl: string
  /** What lists of messages show after the subject. Never a code: lock screens show it. */
  preview: string
  heading: string
  paragraphs: readonly Paragraph[]
  button?: { label: string; url: string }
  /** Shown large. */
  code?: string
  /** Why the recipient gets the message. */
  reason: string
  /** Where the recipient chooses what is sent. */
  settings?: { label: string; url: string }
}

/** A message in the layout of the product, as plain text and as HTML with the same sentences and links. */
export function compose(content: Content) {
  const { to, replyTo, key } = content
  const subject = subjectLine(content.subject)
  return { to, replyTo, key, subject, text: plainText(content), html: html({ ...content, subject }) }
}

function plainText({ heading, paragraphs, code, button, reason, settings, product, appUrl }: Content): string {
  const plain = (paragraph: Paragraph): string => {
    if (typeof paragraph === 'string') return paragraph
    return 'quote' in paragraph ? paragraph.quote.replace(/^/gm, '> ') : `${paragraph.text}\n${paragraph.url}`
  }
  const link = ({ label, url }: { label: string; url: string }) => `${label}:\n${url}`
  const parts = [heading, ...paragraphs.map(plain), code, button && link(button), `-- \n${reason}`, settings && link(settings)]
  return [...parts.filter((part) => part !== undefined), `${product}\n${appUrl}`].join('\n\n')
}

const FONT = "font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const MONO = "font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'Courier New',monospace"
const TABLE = 'role="presentation" border="0" cellpadding="0" cellspacing="0"'
const { page, card, line, ink, muted, link, soft, button: filled, onButton } = LIGHT

const small = `margin:0;font-size:13px;line-height:20px;color:${muted}`
const breakable = 'word-break:break-word;overflow-wrap:anywhere'
const anchor = (url: string, label: string, style = '') =>
  `<a class="link" href="${escapeHtml(url)}" style="color:${link};${breakable};${style}">${escapeHtml(label)}</a>`
const withBreaks = (text: string) => escapeHtml(text).replace(/\r?\n/g, '<br>')

function paragraphHtml(paragraph: Paragraph): string {
  const style = `margin:0 0 16px;font-size:16px;line-height:25px;color:${ink};${breakable}`
  if (typeof paragraph === 'string') return `<p class="ink" style="${style}">${withBreaks(paragraph)}</p>`
  if ('quote' in paragraph)
    return `<table ${TABLE} width="100%" style="margin:0 0 16px"><tr><td class="quote" style="border-left:3px solid ${line};padding:2px 0 2px 16px">
<p class="ink" style="${style};margin:0">${withBreaks(paragraph.quote)}</p></td></tr></table>`
  return `<table ${TABLE} width="100%"><tr><td class="row" style="border-top:1px solid ${line};padding:14px 0;font-size:16px;line-height:24px">
${anchor(paragraph.url, paragraph.text, 'display:block;text-decoration:none')}</td></tr></table>`
}

const codeHtml = (code: string) => `<table ${TABLE} width="100%" style="margin:8px 0 16px"><tr>
<td class="soft ink code" align="center" bgcolor="${soft}" style="background:${soft};border-radius:8px;padding:20px 12px;${MONO};font-size:34px;line-height:40px;font-weight:600;letter-spacing:8px;text-indent:8px;color:${ink}">${escapeHtml(code)}</td></tr></table>`

/** The padding is on the link for most programs, and on the cell for Outlook, which ignores it on links. */
const buttonHtml = ({ label, url }: { label: string; url: string }) => `<table ${TABLE} style="margin:8px 0 20px"><tr>
<td class="button" bgcolor="${filled}" style="background:${filled};border-radius:8px;mso-padding-alt:13px 24px">
<a class="button" href="${escapeHtml(url)}" style="display:inline-block;background:${filled};border-radius:8px;padding:13px 24px;${FONT};font-size:16px;line-height:22px;font-weight:600;color:${onButton};text-decoration:none">${escapeHtml(label)}</a></td></tr></table>
<p class="muted" style="${small};padding-bottom:16px">Or open this link in your browser:<br>${anchor(url, url)}</p>`

/** Fills the rest of the preview with nothing, so that it does not continue with the text below. */
const PREVIEW_END = '&#847;&zwnj;&nbsp;'.repeat(80)

function html({ subject, preview, heading, paragraphs, code, button, reason, settings, product, appUrl }: Content): string {
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<meta name="x-apple-disable-message-reformatting">
<title>${escapeHtml(subject)}</title>
<style>${darkStyle}
@media (max-width: 520px) {
.page { padding: 20px 12px !important }
.card { padding: 24px 20px 8px !important }
.code { font-size: 30px !important; letter-spacing: 6px !important; text-indent: 6px !important }
}</style>
<!--[if mso]><style>body, table, td, p, a, h1 { font-family: 'Segoe UI', Arial, sans-serif !important }</style><![endif]-->
</head>
<body class="page-color" bgcolor="${page}" style="margin:0;padding:0;background:${page};${FONT};-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%">
<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;color:${page};mso-hide:all">${escapeHtml(preview)}${PREVIEW_END}</div>
<table ${TABLE} width="100%" class="page-color" bgcolor="${page}" style="background:${page}"><tr><td class="page" align="center" style="padding:40px 16px">
<!--[if mso]><table ${TABLE} width="560" align="center"><tr><td><![endif]-->
<table ${TABLE} width="100%" style="max-width:560px;margin:0 auto;text-align:left">
<tr><td style="padding:0 4px 16px"><table ${TABLE}><tr>
<td width="28" valign="middle"><img src="cid:${MARK.cid}" width="28" height="28" alt="" style="display:block;border:0;border-radius:6px"></td>
<td class="ink" valign="middle" style="padding-left:10px;font-size:17px;line-height:28px;font-weight:600;color:${ink}">${escapeHtml(product)}</td>
</tr></table></td></tr>
<tr><td class="card" bgcolor="${card}" style="background:${card};border:1px solid ${line};border-radius:12px;padding:32px 32px 16px">
<h1 class="ink" style="margin:0 0 16px;font-size:22px;line-height:30px;font-weight:600;color:${ink};${breakable}">${escapeHtml(heading)}</h1>
${paragraphs.map(paragraphHtml).join('\n')}
${code === undefined ? '' : codeHtml(code)}
${button === undefined ? '' : buttonHtml(button)}
</td></tr>
<tr><td style="padding:20px 4px 0">
<p class="muted" style="${small};${breakable}">${escapeHtml(reason)}${settings === undefined ? '' : ` ${anchor(settings.url, settings.label, `color:${muted}`)}`}</p>
<p class="muted" style="${small};padding-top:8px">${anchor(appUrl, product, `color:${muted}`)}</p>
</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</body>
</html>`
}
