import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { WORDING_EXCEPTIONS } from './wording-rules.ts'
import { hasWording, wordingFiles, wordingReport, wordingViolations } from './wording.ts'

const ROOT = join(import.meta.dirname, '../../..')

describe('the wording rules', () => {
  test('find no violation in the repository', () => {
    const report = wordingReport(ROOT, ['.'])
    expect(report, `${report.join('\n')}\nRun: npm run wording -- <path>`).toEqual([])
  })

  test('read scripts, stylesheets, migrations and Markdown, and no generated file', () => {
    const read = [
      'src/web/ui/a.tsx',
      'scripts/a.mjs',
      'src/web/ui/a.module.css',
      'src/server/db/migrations/018-a.sql',
      'README.md',
      '.ci/run',
    ]
    expect(read.filter((path) => !hasWording(path))).toEqual([])
    expect(
      ['src/server/db/tables.gen.ts', 'src/server/db/migrations/016-a.sql', 'package-lock.json', 'docs/images/a.png'].filter(hasWording),
    ).toEqual([])
  })

  test('need every exception that is declared', () => {
    const files = wordingFiles(ROOT, 'src').map((path) => ({ path, source: readFileSync(join(ROOT, path), 'utf8') }))
    const unused = WORDING_EXCEPTIONS.filter(
      (exception) => !files.some(({ path, source }) => path.startsWith(exception.path) && source.includes(exception.text)),
    )
    expect(unused).toEqual([])
  })
})

describe('the wording rules reject', () => {
  test.each([
    ['a.ts', '// Follows decisions C46.', 'decisions C46'],
    ['a.ts', '/** What a document is (domain section 7). */', 'domain section'],
    ['a.ts', '// Calls and connection (S0 §7)', 'S0 §'],
    ['a.ts', '/** The route table (S1 2.1). */', 'S1 2'],
    ['a.ts', '// See interface.md for the colors.', 'interface.md'],
    ['a.ts', "const folder = '../shared/spec here'", '../shared'],
    ['a.ts', '// Found in /work/main/src.', '/work/'],
    ['a.ts', '// The list is made anew.', 'anew'],
    ['a.ts', "throw new Error('Deleted for ever.')", 'for ever'],
    ['a.ts', '/**\n * One connection in so\n * many only reads lists.\n */', 'so many'],
    ['a.ts', '// Deleted for\n// ever.', 'for ever'],
    ['a.ts', '// Deleted forever.', 'forever'],
    ['a.ts', 'const text = `The reason stands in ${file}`', 'stands'],
    ['a.tsx', 'const a = <p>This channel is not yours.</p>', 'is not yours'],
    ['a.tsx', 'const a = <p title="Users who may edit">x</p>', 'who may'],
    ['a.test.ts', "test('refuses a body', () => {})", 'refuses'],
    ['a.test.ts', "test.each([1])('%s is asked for', () => {})", 'asked'],
    ['a.spec.ts', 'test.describe(`whoever saves later`, () => {})', 'whoever'],
    ['a.css', '/* The colour of a chip */', 'colour'],
    ['a.sql', '-- Normalised keys', 'Normalised'],
    ['a.sh', '# The store is told where to listen.', 'told'],
    ['README.md', 'It hands out an organised archive.', 'organised'],
  ])('%s: %s', (path, source, found) => {
    expect(wordingViolations(path, source).join('\n')).toContain(`"${found.replace(/\n.*/, '')}"`)
  })
})

describe('the wording rules accept', () => {
  test.each([
    ['a.ts', '// A standard session that users understand; a stand-in for the server.'],
    ['a.ts', '// Falls back to the default. The value falls outside the range.'],
    ['a.ts', "import { besideList } from './beside stands/anew.ts'"],
    ['a.ts', "const status = 'cancelled'"],
    ['a.ts', 'const standing = true\nfunction tell() { return behaviour }'],
    ['a.ts', "test('refuses', () => {})"],
    ['a.ts', '// Column C of the sheet, stored in S3. See docs/domain.md, "Matching".'],
    ['a.ts', '// Asks the user for a name. The goal is met. A size of 4 meters in the center.'],
    ['a.ts', "const label = 'Ask your administrator to raise the limit.'"],
    ['a.ts', '// A realistic, optimistic update; the analysis is revised and promised, precise otherwise.'],
    ['a.md', 'Run `tell --beside` or:\n```\nstands anew\n```\n[text](stands.md)'],
    ['a.css', '.beside { color: gray; }'],
    ['a.sql', "INSERT INTO a VALUES ('cancelled', 'stands')"],
    ['src/contract/countries.ts', "const a = 'HM Heard Island and McDonald Islands'"],
  ])('%s: %s', (path, source) => {
    expect(wordingViolations(path, source)).toEqual([])
  })
})
