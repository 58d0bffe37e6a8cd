import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Every fence against a file that climbs over it: a checker that reads nothing would look like a clean build. */
const ROOT = join(import.meta.dirname, '../../..')
const COPIED = [
  'package.json',
  '.oxlintrc.json',
  'tsconfig.base.json',
  'src/contract/default-roles.ts',
  ...['contract', 'server', 'web'].map((room) => `src/${room}/tsconfig.json`),
]
const lines = (count: number, line: (index: number) => string) => Array.from({ length: count }, (_, index) => line(index)).join('\n')

/** A row of the permission table with these marks. */
const marked = (marks: string) => `import type { RoleMarks } from './default-roles.ts'\nexport const marks: RoleMarks = '${marks}'`

/** Files without a violation. */
const LAWFUL = {
  'src/contract/shape.ts': 'export const SHAPE = 1\nexport type Shape = number',
  'src/contract/marks.ts': marked('xxx.....'),
  'src/server/kernel/clock.ts': "import { SHAPE } from '#contract/shape.ts'\nexport const clock = SHAPE",
  'src/server/db/client.ts': "import { clock } from '#server/kernel/clock.ts'\nexport const client = clock",
  'src/server/access/scope.ts': "import { client } from '#server/db/client.ts'\nexport const scope = client",
  'src/server/engines/list.ts': "import { scope } from '#server/access/scope.ts'\nexport const list = scope",
  'src/server/features/cars/cars.ts': "import { list } from '#server/engines/list.ts'\nexport const cars = list",
  'src/server/app.ts': "import { cars } from '#server/features/cars/cars.ts'\nexport const app = cars",
  'src/web/ui/button.ts': 'export const button = 1',
  'src/web/data/query.ts': "import { SHAPE } from '#contract/shape.ts'\nexport const query = SHAPE",
  'src/web/engines/grid.ts':
    "import { button } from '#web/ui/button.ts'\nimport { query } from '#web/data/query.ts'\nexport const grid = [button, query]",
  'src/web/features/cars/page.ts': "import { grid } from '#web/engines/grid.ts'\nexport const page = grid",
}

const importing = (name: string, from: string) => `import { ${name} } from '${from}'\nexport const used = ${name}`

/** File, what it does wrong, and the rule that must say so. */
const LINTED: [file: string, text: string, rule: string][] = [
  ['src/contract/up.ts', importing('clock', '#server/kernel/clock.ts'), 'no-restricted-imports'],
  ['src/contract/package.ts', importing('pino', 'pino'), 'no-restricted-imports'],
  ['src/server/kernel/up.ts', importing('client', '#server/db/client.ts'), 'no-restricted-imports'],
  ['src/server/db/up.ts', importing('scope', '#server/access/scope.ts'), 'no-restricted-imports'],
  ['src/server/access/up.ts', importing('list', '#server/engines/list.ts'), 'no-restricted-imports'],
  ['src/server/engines/up.ts', importing('cars', '#server/features/cars/cars.ts'), 'no-restricted-imports'],
  [
    'src/server/engines/type-up.ts',
    "import type { cars } from '#server/features/cars/cars.ts'\nexport type Cars = typeof cars",
    'no-restricted-imports',
  ],
  ['src/server/features/boats/up.ts', importing('app', '#server/app.ts'), 'no-restricted-imports'],
  ['src/server/features/boats/across.ts', importing('page', '#web/features/cars/page.ts'), 'no-restricted-imports'],
  ['src/server/features/boats/relative.ts', importing('cars', '../../app.ts'), 'no-restricted-imports'],
  ['src/web/ui/up.ts', importing('query', '#web/data/query.ts'), 'no-restricted-imports'],
  ['src/web/ui/routed.ts', importing('Link', '@tanstack/react-router'), 'no-restricted-imports'],
  ['src/web/data/up.ts', importing('grid', '#web/engines/grid.ts'), 'no-restricted-imports'],
  ['src/web/data/themed.ts', importing('theme', '#web/ui/theme.ts'), 'no-restricted-imports'],
  ['src/web/engines/up.ts', importing('page', '#web/features/cars/page.ts'), 'no-restricted-imports'],
  ['src/web/features/boats/across.ts', importing('cars', '#server/features/cars/cars.ts'), 'no-restricted-imports'],
  ['src/web/shell/up.ts', importing('page', '#web/features/cars/page.ts'), 'no-restricted-imports'],
  ['src/server/engines/cycle-a.ts', "import { b } from './cycle-b.ts'\nexport const a = (): unknown => b", 'no-cycle'],
  ['src/server/engines/cycle-b.ts', "import { a } from './cycle-a.ts'\nexport const b = (): unknown => a", 'no-cycle'],
  ['src/server/engines/type-cycle-a.ts', "import type { B } from './type-cycle-b.ts'\nexport interface A { b: B }", 'no-cycle'],
  ['src/server/engines/type-cycle-b.ts', "import type { A } from './type-cycle-a.ts'\nexport interface B { a: A }", 'no-cycle'],
  ['src/server/engines/default.ts', 'export default 1', 'no-default-export'],
  ['src/server/engines/barrel.ts', "export * from './list.ts'", 'no-barrel-file'],
  ['src/server/engines/long.ts', lines(251, (index) => `export const a${index} = 0`), 'max-lines'],
  [
    'src/server/engines/long-function.ts',
    `export function long() {\n${lines(60, () => '  process.pid.toFixed()')}\n}`,
    'max-lines-per-function',
  ],
  ['src/server/engines/any.ts', 'export const a = (b: any): unknown => b', 'no-explicit-any'],
  ['src/server/engines/assertion.ts', 'export const a = (b?: string) => b!.length', 'no-non-null-assertion'],
  ['src/server/engines/console.ts', "export const a = () => console.log('a')", 'no-console'],
  ['src/server/engines/floating.ts', 'export function a() {\n  Promise.resolve(1)\n}', 'no-floating-promises'],
  ['src/server/engines/misused.ts', 'export const a = () => [1].forEach(async () => {})', 'no-misused-promises'],
  [
    'src/server/engines/switch.ts',
    "export function a(b: 'x' | 'y') {\n  switch (b) {\n    case 'x':\n      return 1\n  }\n  return 2\n}",
    'switch-exhaustiveness-check',
  ],
]

/** What only the compiler sees: rooms with different globals and no imports of each other, and one mark for each default role. */
const COMPILED: [file: string, text: string, message: RegExp][] = [
  ['src/contract/process.ts', 'export const a = process.pid', /Cannot find name 'process'/],
  ['src/contract/window.ts', 'export const a = window.name', /Cannot find name 'window'/],
  ['src/contract/to-server.ts', importing('clock', '#server/kernel/clock.ts'), /TS6059|TS6307|TS2307|rootDir/],
  ['src/contract/role-missing.ts', marked('xxx....'), /is not assignable to type/],
  ['src/contract/role-too-many.ts', marked('xxx......'), /is not assignable to type/],
  ['src/contract/capital-mark.ts', marked('Xxx.....'), /is not assignable to type/],
  ['src/server/window.ts', 'export const a = window.name', /Cannot find name 'window'/],
  ['src/server/to-web.ts', importing('button', '#web/ui/button.ts'), /TS6059|TS6307|TS2307|rootDir/],
  ['src/server/enum.ts', 'export enum A { b }', /erasableSyntaxOnly/],
  ['src/server/index-access.ts', 'export const a = (b: string[]): string => b[0]', /undefined/],
  ['src/web/process.ts', 'export const a = process.pid', /Cannot find name 'process'/],
  ['src/web/to-server.ts', importing('clock', '#server/kernel/clock.ts'), /TS6059|TS6307|TS2307|rootDir/],
]

type Run = (program: string, ...args: string[]) => string

interface Diagnostic {
  code: string
  filename: string
}

const folder = mkdtempSync(join(tmpdir(), 'plumbline-fences-'))
let linted: Diagnostic[] = []
const compiled: string[] = []

beforeAll(() => {
  const report = checkTree('linted', LINTED, (run) => run('oxlint', '--type-aware', '-f', 'json', 'src'))
  linted = (JSON.parse(report) as { diagnostics: Diagnostic[] }).diagnostics
  for (const room of ['src/contract', 'src/server', 'src/web']) {
    const offending = COMPILED.filter(([file]) => file.startsWith(room))
    compiled.push(...checkTree(room, offending, (run) => run('tsc', '-b', room, '--pretty', 'false')).split('\n'))
  }
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('lint rejects', () => {
  test.each(LINTED)('%s', (file, _text, rule) => {
    expect(rulesBrokenBy(file)).toContain(rule)
  })
})

describe('lint accepts', () => {
  test.each(Object.keys(LAWFUL))('%s', (file) => {
    expect(rulesBrokenBy(file)).toEqual([])
  })
})

describe('the compiler rejects', () => {
  test.each(COMPILED)('%s', (file, _text, message) => {
    expect(complaintsAbout(file).join('\n')).toMatch(message)
  })
})

describe('the compiler accepts', () => {
  test.each(Object.keys(LAWFUL))('%s', (file) => {
    expect(complaintsAbout(file)).toEqual([])
  })
})

const rulesBrokenBy = (file: string) => linted.filter(({ filename }) => filename === file).map(({ code }) => /\((.*)\)/.exec(code)?.[1])
const complaintsAbout = (file: string) => compiled.filter((line) => line.startsWith(`${file}(`))

/** A project with the real settings, the lawful files and the offending ones; its dependencies are the real ones. */
function checkTree(name: string, offending: [file: string, text: string, ...unknown[]][], check: (run: Run) => string): string {
  const tree = join(folder, name)
  const put = (file: string, text: string) => {
    mkdirSync(dirname(join(tree, file)), { recursive: true })
    writeFileSync(join(tree, file), text)
  }
  for (const file of COPIED) put(file, readFileSync(join(ROOT, file), 'utf8'))
  for (const [file, text] of [...Object.entries(LAWFUL), ...offending]) put(file, `${text}\n`)
  symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
  const options = { cwd: tree, encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 } as const
  return check((program, ...args) => spawnSync(join(ROOT, 'node_modules/.bin', program), args, options).stdout)
}
