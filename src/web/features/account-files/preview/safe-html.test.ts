import { expect, it } from 'vitest'
import { safeHtml } from './safe-html.ts'

it.each([
  '<script>alert(1)</script>',
  '<img src=x onerror="alert(1)">',
  '<a href="javascript:alert(1)">a</a>',
  '<svg><script>alert(1)</script></svg>',
  '<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>',
  '<iframe src="https://evil.example"></iframe>',
  '<object data="https://evil.example"></object>',
  '<form action="https://evil.example"><input name="password"></form>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<base href="https://evil.example">',
  '<link rel="stylesheet" href="https://evil.example">',
  '<body onload="alert(1)">',
  '<video poster="https://evil.example/a.png"></video>',
])('removes what could run, send or load: %s', (html) => {
  expect(safeHtml(`<p>Text</p>${html}`).html).not.toMatch(/alert|script|evil|<form|<input|<iframe|<object|onerror|onload/i)
})

it('keeps the text, its format and its tables', () => {
  expect(safeHtml('<h1>Report</h1><table><tbody><tr><td style="color: red">A</td></tr></tbody></table>').html).toBe(
    '<h1>Report</h1><table><tbody><tr><td style="color: red">A</td></tr></tbody></table>',
  )
})

it('shows the address of a link, which cannot be followed', () => {
  expect(safeHtml('<a href="https://plumbline.example/a">Report</a>').html).toBe('<a title="https://plumbline.example/a">Report</a>')
})

it('counts pictures on the web, which are not loaded, and shows those of the message', () => {
  const html = '<img src="https://tracker.example/a.png"><img src="//tracker.example/b.png"><img src="cid:logo"><img src="cid:missing">'
  expect(safeHtml(html, new Map([['logo', 'data:image/png;base64,AAAA']]))).toEqual({
    html: '<img><img><img src="data:image/png;base64,AAAA"><img>',
    remoteImages: 2,
  })
})
