// Mutation testing: changes the code of some folders in many small ways and reports the changes that no test notices.
// npm run mutate -- --only=access,transaction --sample=40 --seed=1
//   --only    names of folders, see FOLDERS; all of them when absent
//   --sample  number of statements to change in each folder; all of them when absent
//   --seed    which statements a sample has; the same seed gives the same sample
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseSync } from 'vite'
import { install } from './install.mjs'
import { ROOT, say } from './run.mjs'

/** Stryker has its own package, so that only this command installs it. Vitest is the one of the project. */
const STRYKER_FOLDER = join(ROOT, 'scripts/mutation')

const ISOLATION = ['isolation', 'private-documents', 'permanent-deletion'].map((name) => `src/server/testing/${name}.test.ts`)

/** The mutated folders, and the tests that must notice: folders or files. Few files, because each creates its own server. */
const FOLDERS = {
  access: {
    source: 'src/server/access',
    tests: [
      'src/server/access',
      'src/server/engines/datatable/lists.test.ts',
      'src/server/features/flags',
      'src/server/features/metrics/submissions.test.ts',
      'src/server/features/risk-control',
      ...ISOLATION,
    ],
  },
  record: {
    source: 'src/server/engines/record',
    tests: [
      'src/server/engines/record',
      ...['companies', 'users', 'roles', 'account-properties'].map((name) => `src/server/features/${name}`),
    ],
  },
  transaction: {
    source: 'src/server/engines/transaction',
    tests: [
      'src/server/engines/transaction',
      'src/server/engines/realtime',
      'src/server/engines/datatable/list-version.test.ts',
      'src/server/engines/record/record-activity.test.ts',
    ],
  },
  datatable: { source: 'src/server/engines/datatable', tests: ['src/server/engines/datatable'] },
  pipeline: { source: 'src/server/features/imports/pipeline', tests: ['src/server/features/imports/pipeline'] },
}
const STATEMENT = /^(?:ExpressionStatement|ReturnStatement|VariableDeclaration|IfStatement|ThrowStatement|Property)$/
/** A mutant whose set-up hook fails is reported as an error: a test noticed it. */
const DETECTED = ['Killed', 'Timeout', 'RuntimeError']
const MISSED = ['Survived', 'NoCoverage']

const option = (name) => process.argv.find((argument) => argument.startsWith(`--${name}=`))?.split('=')[1]

async function main() {
  const names = (option('only')?.split(',') ?? Object.keys(FOLDERS)).filter((name) => existsSync(join(ROOT, FOLDERS[name].source)))
  const Stryker = await loadStryker()
  const rows = []
  for (const name of names) {
    const begun = Date.now()
    const results = await mutate(Stryker, name)
    rows.push(rowOf(name, results, Math.round((Date.now() - begun) / 1000)))
  }
  console.table(rows)
  say('Reports: .cache/mutation/<folder>.html and .json')
}

async function loadStryker() {
  await install(STRYKER_FOLDER)
  const path = createRequire(join(STRYKER_FOLDER, 'package.json')).resolve('@stryker-mutator/core')
  return (await import(pathToFileURL(path).href)).Stryker
}

/** Runs Stryker on one folder with the tests of that folder only. */
function mutate(Stryker, name) {
  const { source, tests } = FOLDERS[name]
  const missing = tests.filter((path) => !existsSync(join(ROOT, path)))
  if (missing.length > 0) throw new Error(`These tests of ${name} do not exist: ${missing.join(', ')}`)
  const sample = Number(option('sample') ?? 0)
  const files = readdirSync(join(ROOT, source), { recursive: true })
    .map((file) => `${source}/${file}`)
    .filter((file) => /\.tsx?$/.test(file) && !/\.(?:test|fixture)\.ts$/.test(file))
  process.env.PLUMBLINE_MUTATION_TESTS = tests.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`)).join(',')
  mkdirSync(join(ROOT, '.cache/mutation'), { recursive: true })
  return new Stryker({
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'scripts/mutate.vitest.config.ts', related: false },
    // TypeScript 7 has no JavaScript API, which Stryker would use to rewrite the file.
    tsconfigFile: 'absent.json',
    mutate: sample > 0 ? sampledRanges(files, sample) : files,
    coverageAnalysis: 'perTest',
    ignoreStatic: true,
    concurrency: 2,
    timeoutMS: 15_000,
    tempDirName: '.cache/stryker',
    ignorePatterns: ['/.cache', '/dist', '/data', '/docs', '/e2e', '/test-results', '/src/web'],
    reporters: ['progress-append-only', 'clear-text', 'html', 'json'],
    clearTextReporter: { allowColor: false, reportTests: false, logTests: false, allowEmojis: false },
    htmlReporter: { fileName: `.cache/mutation/${name}.html` },
    jsonReporter: { fileName: `.cache/mutation/${name}.json` },
  }).runMutationTest()
}

/** Statements chosen by the seed, in the notation of Stryker: `file:line:column-line:column`. */
function sampledRanges(files, count) {
  const order = (range) =>
    createHash('sha1')
      .update(`${option('seed') ?? 1} ${range}`)
      .digest('hex')
  return files
    .flatMap(statementsOf)
    .map((range) => ({ range, key: order(range) }))
    .sort((left, right) => left.key.localeCompare(right.key))
    .slice(0, count)
    .map(({ range }) => range)
}

function statementsOf(file) {
  const source = readFileSync(join(ROOT, file), 'utf8')
  const position = (offset) => {
    const lines = source.slice(0, offset).split('\n')
    return `${lines.length}:${lines.at(-1).length}`
  }
  const found = []
  const visit = (node) => {
    if (typeof node !== 'object' || node === null) return
    const part = node.type === 'IfStatement' ? node.test : node
    if (STATEMENT.test(node.type) && source.slice(part.start, part.end).split('\n').length <= 6) {
      found.push(`${file}:${position(part.start)}-${position(part.end)}`)
    } else for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(file, source, { lang: 'ts' }).program)
  return found
}

function rowOf(folder, results, seconds) {
  const count = (statuses) => results.filter(({ status }) => statuses.includes(status)).length
  const [detected, missed] = [count(DETECTED), count(MISSED)]
  const score = detected + missed === 0 ? '-' : `${((100 * detected) / (detected + missed)).toFixed(1)} %`
  return {
    folder,
    mutants: results.length,
    detected,
    'of these timed out': count(['Timeout']),
    survived: count(['Survived']),
    'no coverage': count(['NoCoverage']),
    score,
    seconds,
  }
}

await main()
