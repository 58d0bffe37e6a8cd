import { expect, test } from 'vitest'
import { isProgramName } from './program-names.ts'

test.each([
  'setup.exe',
  'SETUP.EXE',
  'quarter2.bat.',
  'quarter2.bat . ',
  'run.exe\u3164',
  'run.exe\uFE0F',
  'run.e\u{E0041}xe',
  'run.\uFF45xe',
  'run\uFF0Eexe',
  'run.exe::$DATA',
  'run.exe:report.pdf',
  'report.pdf:run.exe',
  'invoice\u202E.exe',
  ...['command', 'desktop', 'url', 'chm', 'pkg', 'deb', 'iso', 'py', 'js'].map((type) => `open.${type}`),
])('%j is the name of a program', (name) => expect(isProgramName(name)).toBe(true))

test.each([
  'Schedule.xlsm',
  'Letter.docm',
  'Report.pdf',
  'exe',
  'Roof.exe.pdf',
  'Loss runs 1.1.2026',
  'Größe 文書 😀.pdf',
  'Address: 1 Main St.pdf',
  'data.json',
  'Photo.heic',
  'mail.eml',
])('%j is the name of a document', (name) => expect(isProgramName(name)).toBe(false))
