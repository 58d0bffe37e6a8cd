// Runs all checks. Options: --continue (do not stop at the first failure), --only=types,lint and --skip=browser (names of steps).
// Ends with the skipped tests and their reasons; with CI=true a step without its program and some skipped tests are failures.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb } from './build-web.mjs'
import { findOrInstallChromium } from './chromium.mjs'
import { install } from './install.mjs'
import { ROOT, run, say } from './run.mjs'
import {
  describeFailures,
  failedInPlaywright,
  failedInVitest,
  judgeSkipped,
  skippedInPlaywright,
  skippedInVitest,
} from './test-reports.mjs'

const isCi = process.env.CI === 'true'
const UNIT_REPORT = '.cache/test-report.json'
const PROCESS_REPORT = '.cache/process-report.json'
const BROWSER_REPORT = '.cache/browser-report.json'

/** Each gets the options of `run`, and resolves with an exit code or with { skipped: reason }. */
const STEPS = {
  types: (options) => run('tsc', ['-b'], options),
  lint: (options) => run('oxlint', ['--type-aware', '--deny-warnings'], options),
  format: (options) => run('prettier', ['--check', '--log-level', 'warn', '.'], options),
  'dead-code': (options) => run('knip', [], options),
  'db-types': (options) => run('node', ['src/server/db/codegen.ts', '--check'], options),
  unit: (options) => runVitest(UNIT_REPORT, [], options),
  processes: (options) => runVitest(PROCESS_REPORT, ['--config', 'e2e/vitest.config.ts'], options),
  build: () => buildWeb({ force: true }).then(() => 0),
  browser: runBrowserTests,
}
/** The groups run one after the other, the steps of a group two at a time. The process tests wait most of their time for killed jobs. */
const GROUPS = [['types', 'lint', 'format', 'dead-code', 'db-types'], ['unit', 'processes'], ['build'], ['browser']]
const AT_A_TIME = 2

const runVitest = (report, config, options) =>
  run('vitest', ['run', ...config, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`], options)

async function runBrowserTests() {
  if (!existsSync(join(ROOT, 'e2e/playwright.config.ts'))) return { skipped: 'there is no e2e/playwright.config.ts' }
  const chromium = await findOrInstallChromium()
  if (chromium === undefined) return { skipped: 'no Chromium here; install it, or set PLUMBLINE_CHROMIUM to its path' }
  const env = { PLUMBLINE_CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_NAME: join(ROOT, BROWSER_REPORT) }
  return run('playwright', ['test', '--config', 'e2e/playwright.config.ts', '--reporter=list,json'], { env })
}

const option = (name) =>
  process.argv
    .find((argument) => argument.startsWith(`--${name}=`))
    ?.split('=')[1]
    ?.split(',')

async function main() {
  const begun = Date.now()
  await install()
  mkdirSync(join(ROOT, '.cache'), { recursive: true })
  for (const report of [UNIT_REPORT, PROCESS_REPORT, BROWSER_REPORT]) rmSync(join(ROOT, report), { force: true })

  const names = Object.keys(STEPS).filter((name) => (option('only') ?? [name]).includes(name) && !(option('skip') ?? []).includes(name))
  const lines = []
  let failed = 0
  for (const group of GROUPS) {
    const steps = group.filter((name) => names.includes(name))
    const isAlone = steps.length === 1
    if (!isAlone && steps.length > 0) say(`\n── two at a time: ${steps.join(', ')}`)
    await eachOf(steps, AT_A_TIME, async (name) => {
      if (failed > 0 && !process.argv.includes('--continue')) return
      const line = await takeStep(name, { isAlone })
      lines.push(line)
      if (line.failed) failed++
    })
  }
  const left = names.length - lines.length
  say(`\n── summary\n${lines.map((line) => line.text).join('\n')}`)
  const { reasons, unexpected } = judgeSkipped(testsOfReports(skippedInVitest, skippedInPlaywright), { ci: isCi })
  if (reasons.length + unexpected.length > 0) say([...reasons, ...unexpected].join('\n'))
  const failures = describeFailures(testsOfReports(failedInVitest, failedInPlaywright))
  if (failures.length > 0) say(failures.join('\n'))
  const verdict = failed > 0 ? `FAILED: ${failed} of ${names.length} steps` : `${names.length} steps passed`
  say(
    [
      verdict + (left > 0 ? ` (${left} not run)` : ''),
      ...counts(),
      unexpected.length > 0 ? `${unexpected.length} unexpectedly skipped` : '',
      `${seconds(begun)} s`,
    ]
      .filter(Boolean)
      .join('; '),
  )
  process.exitCode = failed + unexpected.length > 0 ? 1 : 0
}

async function eachOf(items, atATime, work) {
  const waiting = [...items]
  const next = async () => {
    while (waiting.length > 0) await work(waiting.shift())
  }
  await Promise.all(Array.from({ length: atATime }, next))
}

/** A step that is not alone prints its output when it ends, so that the outputs do not mix. */
async function takeStep(name, { isAlone }) {
  const begun = Date.now()
  const output = []
  const headline = `\n── ${name}`
  if (isAlone) say(headline)
  const outcome = await STEPS[name](isAlone ? {} : { output }).catch((error) => (output.push(`${error.message}\n`), 1))
  const line = lineOf(name, outcome, begun)
  say([...(isAlone ? [] : [headline]), output.join('').trimEnd(), line.text].filter(Boolean).join('\n'))
  return line
}

function lineOf(name, outcome, begun) {
  const pad = name.padEnd(10)
  if (outcome.skipped !== undefined) return { failed: isCi, text: `– ${pad} SKIPPED: ${outcome.skipped}` }
  return { failed: outcome !== 0, text: `${outcome === 0 ? '✓' : '✗'} ${pad} ${seconds(begun)} s` }
}

const seconds = (since) => ((Date.now() - since) / 1000).toFixed(1)

function testsOfReports(ofVitest, ofPlaywright) {
  const [unit, processes, browser] = [UNIT_REPORT, PROCESS_REPORT, BROWSER_REPORT].map(readReport)
  return [...(unit ? ofVitest(unit) : []), ...(processes ? ofVitest(processes) : []), ...(browser ? ofPlaywright(browser) : [])]
}

/** The numbers of tests, from the reports of the runners. */
function counts() {
  const browser = readReport(BROWSER_REPORT)?.stats
  return [
    countOf('unit tests', UNIT_REPORT),
    countOf('process tests', PROCESS_REPORT),
    browser && tally('browser tests', browser.expected + browser.flaky, browser.unexpected, browser.skipped),
  ].filter(Boolean)
}

function countOf(what, file) {
  const report = readReport(file)
  return report && tally(what, report.numPassedTests, report.numFailedTests, report.numPendingTests + (report.numTodoTests ?? 0))
}

const tally = (what, passed, failed, skipped) => `${what}: ${passed} passed, ${failed} failed, ${skipped} skipped`

function readReport(file) {
  try {
    return JSON.parse(readFileSync(join(ROOT, file), 'utf8'))
  } catch {
    return undefined
  }
}

await main().catch((error) => {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
})
