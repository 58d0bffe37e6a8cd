import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { compose, MARK, type Content } from './template.ts'

const CONTENT: Content = {
  to: 'ada@example.test',
  key: 'key',
  subject: 'Documents arrived',
  product: 'Plumbline',
  appUrl: 'https://app.example.test',
  preview: 'Two documents were added.',
  heading: 'New documents',
  paragraphs: [
    'Hello Ada,',
    { text: 'Roof.pdf was added.', url: 'https://app.example.test/files/1?a=1&b=2' },
    { quote: 'First line\nSecond line' },
  ],
  code: '012345',
  button: { label: 'Open documents', url: 'https://app.example.test/files?tab=files&page=1' },
  reason: 'You get this email because you asked for it.',
  settings: { label: 'Change this on your profile', url: 'https://app.example.test/profile' },
}
const { html, text } = compose(CONTENT)
const plain = (source: string) => source.replace(/&#(\d+);/g, (_whole, code: string) => String.fromCharCode(Number(code)))
/** What a reader sees, without the style and the title. */
const shown = (source: string) => plain(source.replace(/^[^]*<body/, '<body').replace(/<!--[^]*?-->|<[^>]*>/g, ' ')).replace(/\s+/g, ' ')
const linksOf = (source: string) =>
  [...source.matchAll(/<a [^>]*href="([^"]*)"[^>]*>([^<]*)<\/a>/g)].map(([, href = '', label = '']) => [plain(href), plain(label)])

describe('the template of all messages', () => {
  it('has the same sentences and links as text and as HTML', () => {
    const sentences = text.split('\n').filter((line) => line !== '' && line !== '-- ')
    expect(sentences.length).toBeGreaterThan(12)
    const isAddress = (sentence: string) => sentence.startsWith('https://')
    const addresses = new Set(linksOf(html).map(([address]) => address))
    expect(new Set(sentences.filter(isAddress))).toEqual(addresses)
    const words = sentences.filter((sentence) => !isAddress(sentence)).map((sentence) => sentence.replace(/^> |:$/g, ''))
    expect(words.filter((sentence) => !shown(html).includes(sentence))).toEqual([])
  })

  it('shows the address of its button as text, too', () => {
    const url = CONTENT.button?.url
    expect(linksOf(html).filter(([address]) => address === url)).toEqual([
      [url, 'Open documents'],
      [url, url],
    ])
  })

  it('shows the preview first, and hides it', () => {
    expect(/<body[^>]*>\s*<div style="display:none[^>]*>Two documents were added\./.test(html)).toBe(true)
  })

  it('escapes all of its values', () => {
    const bad = '<img src=x onerror="alert(1)"> & co'
    const url = 'https://app.example.test/?a="><script>alert(1)</script>'
    const { html: escaped, text: plainText } = compose({
      ...CONTENT,
      subject: bad,
      product: bad,
      appUrl: url,
      preview: bad,
      heading: bad,
      paragraphs: [bad, { text: bad, url }, { quote: bad }],
      code: bad,
      button: { label: bad, url },
      reason: bad,
      settings: { label: bad, url },
    })
    expect(escaped).not.toMatch(/<script|<img src=x/)
    expect(escaped.match(/<img/g)).toHaveLength(1)
    expect(escaped).toContain('<title>&#60;img src=x onerror=&#34;alert(1)&#34;&#62; &#38; co</title>')
    expect(shown(escaped).split(bad)).toHaveLength(12)
    expect(plainText).toContain(bad)
  })

  it('loads nothing from the web', () => {
    expect(html).not.toMatch(/(?:src|background)="?http|url\(|@import|<link/)
    expect(html).toContain(`<img src="cid:${MARK.cid}"`)
  })

  it('has its language, both color schemes and a title', () => {
    expect(html).toContain('<html lang="en"')
    expect(html).toContain('<meta name="color-scheme" content="light dark">')
    expect(html).toContain('<title>Documents arrived</title>')
  })

  it('has the mark of the page', async () => {
    const page = sharp(await readFile('src/web/public/mark.svg'), { density: 144 }).resize(64, 64)
    const [expected, actual] = await Promise.all([page, sharp(MARK.path)].map((image) => image.ensureAlpha().raw().toBuffer()))
    const differences = [...(expected ?? [])].map((value, index) => Math.abs(value - (actual?.[index] ?? 0)))
    expect(actual?.length).toBe(64 * 64 * 4)
    expect(differences.filter((difference) => difference > 40).length / differences.length).toBeLessThan(0.02)
  })
})
