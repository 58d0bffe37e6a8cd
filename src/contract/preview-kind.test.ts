import { expect, it } from 'vitest'
import { previewKind } from './preview-kind.ts'

it.each([
  ['application/pdf', 'a.pdf', 'pdf'],
  ['image/png', 'a.png', 'image'],
  ['image/svg+xml', 'a.svg', 'none'],
  ['application/xml', 'a.svg', 'none'],
  ['text/html', 'a.html', 'none'],
  ['text/plain', 'a.txt', 'text'],
  ['text/plain', 'a.csv', 'sheet'],
  ['text/plain', 'a.eml', 'email'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'a', 'sheet'],
  ['application/vnd.ms-excel.sheet.macroenabled.12', 'a.xlsm', 'sheet'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'a', 'word'],
  ['application/x-cfb', 'a.msg', 'email'],
  ['application/x-cfb', 'Locked.docx', 'word'],
  ['application/octet-stream', 'a.pdf', 'none'],
  ['application/zip', 'a.zip', 'none'],
] as const)('shows %s with the name %s as %s', (type, name, kind) => {
  expect(previewKind(type, name)).toBe(kind)
})
