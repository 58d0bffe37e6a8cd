import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { complaintsAbout } from './conventions.ts'

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

/** The two tests of the fences quote what must not be written. */
const JUDGED = SOURCES.filter((path) => !/src\/server\/testing\/(conventions|fences)/.test(path))
const EXCEPTIONS_MAX = 12
const EXCEPTION = /(?:oxlint|eslint)-disable|@ts-(?:ignore|expect-error|nocheck)/
const EXCEPTION_WITH_REASON = /oxlint-disable-next-line [\w/-]+ -- .{15,}/

describe('every source file', () => {
  test('is looked at', () => {
    expect(SOURCES.length).toBeGreaterThan(50)
  })

  test('keeps the rules of the house', () => {
    expect(JUDGED.flatMap((path) => complaintsAbout(path, textOf(path)).map((complaint) => `${path} ${complaint}`))).toEqual([])
  })

  test('switches a lint rule off for one line only, with its reason, and seldom', () => {
    const exceptions = JUDGED.flatMap((path) => linesOf(path, EXCEPTION))
    expect(exceptions.filter((line) => !EXCEPTION_WITH_REASON.test(line))).toEqual([])
    expect(exceptions.length, exceptions.join('\n')).toBeLessThanOrEqual(EXCEPTIONS_MAX)
  })
})

describe('the rules bite', () => {
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
    [
      'src/server/features/cars/a.ts',
      "import { b } from '../boats/b.ts'",
      'imports src/server/features/boats/b.ts of a neighbouring feature',
    ],
    [
      'src/web/features/cars/a.tsx',
      "import { b } from '#web/features/boats/b.commands.ts'",
      'imports src/web/features/boats/b.commands.ts of a neighbouring feature',
    ],
    ['src/server/engines/http/helpers.ts', '', 'has a name that says nothing'],
    ['src/server/features/cars/cars.types.ts', '', 'has a name that says nothing'],
    ['src/server/features/cars/index.ts', '', 'has a name that says nothing'],
    ['src/server/engines/a.ts', 'export const a = process.env.HOME', 'reads process.env, which only src/server/kernel/config.ts may'],
    ['src/server/engines/a.ts', 'a\n'.repeat(251), 'has 251 lines, 250 are allowed'],
    ['src/server/engines/a.test.ts', 'a\n'.repeat(401), 'has 401 lines, 400 are allowed'],
  ])('%s', (path, text, complaint) => {
    expect(complaintsAbout(path, text)).toEqual([complaint])
  })

  test.each([
    ['src/server/features/cars/a.ts', "import { sell } from '#server/features/boats/boats.commands.ts'"],
    ['src/server/features/cars/a.ts', "import { wash } from './wash.ts'"],
    ['src/server/features/index.ts', "import { cars } from './cars/cars.routes.ts'"],
    ['src/server/db/a.test.ts', "import { createTestDatabase } from '#server/testing/database.ts'"],
    ['src/web/features/cars/a.tsx', "import { Car } from '#contract/cars.ts'\nimport { grid } from '#web/engines/grid.tsx'"],
    ['src/server/engines/type-names.ts', 'export const a = 1'],
    ['src/server/features/metrics/property-types.metric.ts', 'export const a = 1'],
    ['src/server/engines/search-index.ts', 'export const a = 1'],
  ])('and leave %s alone', (path, text) => {
    expect(complaintsAbout(path, text)).toEqual([])
  })
})
