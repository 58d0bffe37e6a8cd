import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { conventionViolations, missingPaths, modulesFrom, mutualEngines, numberGaps, recordViolations } from './conventions.ts'

const ROOT = join(import.meta.dirname, '../../..')
const SOURCES = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .filter((name) => /\.tsx?$/.test(name))
  .sort()
const linesOf = (path: string, pattern: RegExp) =>
  textOf(path)
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : []))
const textOf = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** The tests of the conventions contain examples of violations. */
const CHECKED = SOURCES.filter((path) => !/src\/server\/testing\/(conventions|fences)/.test(path))
const EXCEPTIONS_MAX = 12
const EXCEPTION = /(?:oxlint|eslint)-disable|@ts-(?:ignore|expect-error|nocheck)/
const EXCEPTION_WITH_REASON = /oxlint-disable-next-line [\w/-]+ -- .{15,}/

describe('every source file', () => {
  test('is checked', () => {
    expect(SOURCES.length).toBeGreaterThan(50)
  })

  test('follows the conventions', () => {
    expect(CHECKED.flatMap((path) => conventionViolations(path, textOf(path)).map((violation) => `${path} ${violation}`))).toEqual([])
  })

  test('disables lint rules rarely, for one line only, with a reason', () => {
    const exceptions = CHECKED.flatMap((path) => linesOf(path, EXCEPTION))
    expect(exceptions.filter((line) => !EXCEPTION_WITH_REASON.test(line))).toEqual([])
    expect(exceptions.length, exceptions.join('\n')).toBeLessThanOrEqual(EXCEPTIONS_MAX)
  })
})

const OWN_FORMAT = 'formats by itself, which only src/contract/format.ts does'
const MODULE_STATE = 'has state in the module; create it with the services in src/server/app.ts'

const namesModel = (name: string) => `names a model by ${name}; an engine reads what is special about it from its declaration`

describe('the conventions reject', () => {
  test.each([
    ['src/server/db/a.ts', "import { b } from '#server/engines/b.ts'", 'imports src/server/engines/b.ts, which is on a floor above'],
    [
      'src/server/engines/http/a.ts',
      "import type { B } from '../../features/cars/b.ts'",
      'imports src/server/features/cars/b.ts, which is on a floor above',
    ],
    ['src/server/features/cars/a.ts', "const b = await import('#server/app.ts')", 'imports src/server/app.ts, which is on a floor above'],
    ['src/contract/a.ts', "import { b } from '#server/kernel/b.ts'", 'imports src/server/kernel/b.ts, which is on a floor above'],
    ['src/web/engines/a.ts', "import { b } from '#server/kernel/b.ts'", 'imports src/server/kernel/b.ts, which is on a floor above'],
    ['src/web/ui/a.tsx', "export { b } from '../data/b.ts'", 'imports src/web/data/b.ts, which is on a floor above'],
    ['src/server/features/cars/a.ts', "import { b } from '../boats/b.ts'", 'imports src/server/features/boats/b.ts of another feature'],
    [
      'src/web/features/cars/a.tsx',
      "import { b } from '#web/features/boats/b.commands.ts'",
      'imports src/web/features/boats/b.commands.ts of another feature',
    ],
    ['src/web/engines/a.tsx', "import { b } from '#web/routes.tsx'", 'imports src/web/routes.tsx, which is on a floor above'],
    ['src/web/shell/a.tsx', "import { b } from '#web/features/b.tsx'", 'imports src/web/features/b.tsx, which is on a floor above'],
    ['src/web/features/cars/a.tsx', "import { b } from '#web/shell/b.tsx'", 'imports src/web/shell/b.tsx, which is on a floor above'],
    ['src/server/features/imports/pipeline/a.ts', "import { sql } from 'kysely'", 'imports kysely, but its folder has no input or output'],
    [
      'src/server/features/imports/pipeline/cells/a.ts',
      "import type { Context } from '#server/engines/context.ts'",
      'imports src/server/engines/context.ts, but its folder has no input or output',
    ],
    ['src/server/engines/http/helpers.ts', '', 'has a vague name'],
    ['src/server/features/cars/cars.types.ts', '', 'has a vague name'],
    ['src/server/features/cars/index.ts', '', 'has a vague name'],
    ['src/server/engines/a.ts', 'export const a = process.env.HOME', 'reads process.env, which only src/server/kernel/config.ts does'],
    ['src/web/ui/a.tsx', 'export const a = (5_000).toLocaleString()', OWN_FORMAT],
    ['src/server/engines/a.ts', "export const a = new Date().toLocaleDateString('en-US')", OWN_FORMAT],
    ['src/contract/a.ts', 'export const a = new Intl.NumberFormat()', OWN_FORMAT],
    ['src/server/engines/a.ts', 'export let a = 1', MODULE_STATE],
    ['src/server/engines/a.ts', 'const a = new LRUCache<string, number>({ max: 5 })', MODULE_STATE],
    ['src/server/engines/a.ts', 'const a: number[] = []', MODULE_STATE],
    ['src/server/engines/a.ts', 'const a = pLimit(1)', MODULE_STATE],
    ['src/server/engines/a.ts', 'const cache = new Map<string, number>()', MODULE_STATE],
    ['src/server/engines/a.ts', 'export const cache = new Set<string>()', MODULE_STATE],
    ['src/server/engines/a.ts', 'const cache: Map<string, number[]> = new Map()', MODULE_STATE],
    ['src/server/engines/a.ts', 'const cache = new Map<string, Map<string, number>>([])', MODULE_STATE],
    ['src/server/engines/a.ts', "if (model === 'account_files') return", namesModel("'account_files'")],
    ['src/web/engines/form/a.tsx', "const size = { users: 5, ...of('roles') }", namesModel("'roles'")],
    ['src/web/engines/form/a.tsx', "import { companyCalls } from '#contract/companies.ts'", namesModel('#contract/companies.ts')],
    ['src/web/engines/form/a.ts', 'const SIZES = {\n  users: { most: 5 },\n}', namesModel('users: {')],
    ['src/server/engines/a.ts', 'a\n'.repeat(251), 'has 251 lines, 250 are allowed'],
    ['src/server/engines/a.test.ts', 'a\n'.repeat(401), 'has 401 lines, 400 are allowed'],
  ])('%s', (path, text, violation) => {
    expect(conventionViolations(path, text)).toEqual([violation])
  })
})

describe('the conventions accept', () => {
  test.each([
    ['src/server/features/cars/a.ts', "import { sell } from '#server/features/boats/boats.commands.ts'"],
    ['src/server/features/cars/a.ts', "import { wash } from './wash.ts'"],
    ['src/server/features/index.ts', "import { cars } from './cars/cars.routes.ts'"],
    ['src/server/db/a.test.ts', "import { createTestDatabase } from '#server/testing/database.ts'"],
    ['src/web/features/cars/a.tsx', "import { Car } from '#contract/cars.ts'\nimport { grid } from '#web/engines/grid.tsx'"],
    ['src/web/ui/a.tsx', "import { paths } from '#web/paths.ts'"],
    ['src/server/features/imports/pipeline/a.test.ts', "import { sql } from 'kysely'"],
    ['src/server/features/imports/pipeline/a.ts', "import { b } from '#server/engines/address/b.ts'\nimport { c } from '#contract/c.ts'"],
    ['src/server/engines/type-names.ts', 'export const a = 1'],
    ['src/server/engines/a.ts', 'const make = () => {\n  let a = 1\n  return new LRUCache({ max: a })\n}'],
    ['src/server/engines/a.ts', "const names = new Map([['a', 1]])\nconst empty: ReadonlySet<string> = new Set()"],
    ['src/web/engines/upload/a.ts', "stale('account_files')"],
    ['src/server/features/cars/a.ts', "emit({ model: 'accounts' })"],
    ['src/contract/format.ts', 'const a = new Intl.NumberFormat()'],
    ['src/server/engines/a.ts', "const order = new Intl.Collator('en')"],
    ['src/server/features/a.ts', "const graphemes = new Intl.Segmenter('en')"],
    ['src/server/features/metrics/property-types.metric.ts', 'export const a = 1'],
    ['src/server/engines/search-index.ts', 'export const a = 1'],
  ])('%s: %s', (path, text) => {
    expect(conventionViolations(path, text)).toEqual([])
  })
})

describe('engines', () => {
  test('do not import each other', () => {
    expect(mutualEngines(CHECKED.filter((path) => !path.includes('.test.')).map((path) => [path, textOf(path)]))).toEqual([])
  })

  test('that import each other are found, but not one that imports another or a file of its own', () => {
    const list = ['src/web/engines/list/list.ts', "import { a } from '#web/engines/form/field.tsx'\nimport { b } from './rows.ts'"] as const
    const form = ['src/web/engines/form/field.tsx', "import { c } from '../list/rows.ts'"] as const
    expect(mutualEngines([list, form])).toEqual(['src/web/engines/form and src/web/engines/list'])
    expect(mutualEngines([list])).toEqual([])
  })
})

const RECORDS_FOLDER = 'docs/decisions'

describe('the start of the server', () => {
  const START = modulesFrom('src/server/main.ts', textOf)

  test('loads no library that only some calls need', () => {
    expect(START).toContain('fastify')
    const rest = ['prom-client', 'file-type', 'sharp', 'nodemailer', 'csv-parse', 'yauzl', 'kysely/migration', '@aws-sdk/client-s3']
    expect(START.filter((name) => rest.includes(name))).toEqual([])
  })

  test('does not load the pipeline of imports', () => {
    expect(START).toContain('src/server/features/imports/imports.routes.ts')
    expect(START.filter((name) => name.startsWith('src/server/features/imports/pipeline/'))).toEqual([])
  })

  test('does not import the HTTP module of Node, which loads its client', () => {
    expect(START.filter((name) => name === 'node:http' || name === 'node:https')).toEqual([])
  })
})

describe('decision records', () => {
  const records = readdirSync(join(ROOT, RECORDS_FOLDER)).sort()

  test('have a title, a status and the sections Context, Decision and Consequences', () => {
    expect(
      records.flatMap((name) => recordViolations(name, textOf(`${RECORDS_FOLDER}/${name}`)).map((found) => `${name} ${found}`)),
    ).toEqual([])
  })

  test('are numbered without gaps', () => {
    const numbers = records.map((name) => Number(name.slice(0, 3)))
    expect(numberGaps(numbers)).toEqual([])
  })

  test('with another layout or a gap in the numbers are found', () => {
    const record = '# 001 Title\n\nStatus: accepted, 2026-11-21\n\n## Context\nA\n\n## Decision\nB\n\n## Consequences\nC\n'
    expect(recordViolations('001-title.md', record)).toEqual([])
    expect(recordViolations('002-title.md', record)).toEqual(['does not start with "# 002 Title"'])
    expect(recordViolations('001-title.md', record.replace('Consequences', 'Consequence'))).toHaveLength(1)
    expect(recordViolations('001-title.md', record.replace('Status: accepted', 'Accepted'))).toHaveLength(1)
    expect(numberGaps([2, 1])).toEqual([])
    expect(numberGaps([1, 3])).toHaveLength(1)
    expect(numberGaps([1, 1])).toHaveLength(1)
  })
})

describe('documents', () => {
  const files = ['src', 'docs', 'scripts', 'bench', 'e2e']
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`))
    .filter((path) => !path.includes('node_modules'))
    .map((path) => path.replaceAll('\\', '/'))
    .concat(readdirSync(ROOT))
  const documents = files.filter((path) => /^(?:docs\/.*|[A-Z]+)\.md$/.test(path))

  test('name only files that exist', () => {
    expect(documents.length).toBeGreaterThan(30)
    expect(documents.flatMap((path) => missingPaths(textOf(path), files).map((missing) => `${path} names ${missing}`))).toEqual([])
  })

  test('with a path of no file are found', () => {
    const existing = ['src/contract/format.ts', 'README.md', 'src/server/features/texts.job.ts']
    expect(missingPaths('`contract/format.ts`, `format.ts`, `README.md`, `npm start` and `<verb>.job.ts`', existing)).toEqual([])
    expect(missingPaths('`contract/formats.ts`, `at.ts` or `<verb>.job.tsx`', existing)).toEqual([
      'contract/formats.ts',
      'at.ts',
      '<verb>.job.tsx',
    ])
  })
})
