// Reads skipped and failed tests from the JSON reports of Vitest and Playwright. The name of a skipped test has its reason: `… [needs bsdtar]`.
import { stripVTControlCharacters } from 'node:util'

/** What a machine may lack, and how to provide it. Names as in src/server/testing/needs.ts. */
const PROVIDED_BY = {
  unzip: 'apt-get install unzip',
  '7z': 'apt-get install 7zip',
  bsdtar: 'apt-get install libarchive-tools',
  python3: 'apt-get install python3',
  root: 'run as root',
  'permission to mount': 'run as root, with the capability to mount',
  'S3 store': 'set PLUMBLINE_TEST_S3_URL; .ci/run starts a store where it can',
  'sample files': 'set PLUMBLINE_SAMPLES to a folder with the real spreadsheets',
}
/** Needs that the CI machine does not have to provide. */
const OPTIONAL_IN_CI = ['unzip', '7z', 'bsdtar', 'root', 'permission to mount', 'S3 store', 'sample files']
const FAILURES_SHOWN = 5
const LINES_OF_FAILURE = 12

/** Skipped tests of a report of Vitest, as `{ file, name }`. */
export const skippedInVitest = (report) =>
  testsOfVitest(report)
    .filter(({ status }) => ['skipped', 'pending', 'todo'].includes(status))
    .map(({ file, name }) => ({ file, name }))

/** Skipped tests of a report of Playwright, as `{ file, name }`. */
export const skippedInPlaywright = (report) =>
  testsOfPlaywright(report)
    .filter(({ status }) => status === 'skipped')
    .map(({ file, name }) => ({ file, name }))

/** Failed tests of a report of Vitest, as `{ file, name, message }`. */
export const failedInVitest = (report) =>
  testsOfVitest(report)
    .filter(({ status }) => status === 'failed')
    .map(({ file, name, message }) => ({ file, name, message }))

/** Failed tests of a report of Playwright, as `{ file, name, message }`. */
export const failedInPlaywright = (report) =>
  testsOfPlaywright(report)
    .filter(({ status }) => status === 'unexpected')
    .map(({ file, name, message }) => ({ file, name, message }))

const testsOfVitest = (report) =>
  report.testResults.flatMap(({ name: file, message: ofFile = '', assertionResults }) => {
    const tests = assertionResults.map(({ status, fullName: name, failureMessages = [] }) => ({
      file,
      name,
      status,
      message: failureMessages.join('\n'),
    }))
    // A file that failed to load has no tests.
    return tests.length === 0 && ofFile !== '' ? [{ file, name: '', status: 'failed', message: ofFile }] : tests
  })

const testsOfPlaywright = (report) => report.suites.flatMap((suite) => testsOfSuite(suite, ''))

function testsOfSuite({ file, title, specs = [], suites = [] }, above) {
  const prefix = `${above}${title} `
  const own = specs.flatMap((spec) =>
    spec.tests.map(({ status, results = [] }) => ({
      file,
      name: prefix + spec.title,
      status,
      message: results.flatMap(({ errors = [] }) => errors.map(({ message = '' }) => message)).join('\n'),
    })),
  )
  return [...own, ...suites.flatMap((suite) => testsOfSuite(suite, prefix))]
}

/** The first lines of the first failures, for the end of the log, which is often the only part that is read. */
export function describeFailures(failed) {
  const shown = failed.slice(0, FAILURES_SHOWN).map(({ file, name, message }) => {
    const lines = stripVTControlCharacters(message)
      .split('\n')
      .filter((line) => line.trim() !== '')
    return [`✗ ${file}: ${name}`, ...lines.slice(0, LINES_OF_FAILURE).map((line) => `    ${line}`)].join('\n')
  })
  return failed.length > FAILURES_SHOWN ? [...shown, `✗ and ${failed.length - FAILURES_SHOWN} more`] : shown
}

/** Lines that list the skipped tests by reason, and lines about those that should not be skipped. */
export function judgeSkipped(skipped, { ci }) {
  const counts = new Map()
  const unexpected = []
  for (const { file, name } of skipped) {
    const needs = /\[needs ([^\]]+)\]/.exec(name)?.[1]?.split(', ') ?? []
    const known = needs.length > 0 && needs.every((need) => Object.hasOwn(PROVIDED_BY, need))
    const hints = needs.map((need) => `${need}: ${PROVIDED_BY[need]}`).join('; ')
    const reason = `needs ${hints}`
    if (!known) unexpected.push(`skipped without a known reason: ${file}: ${name}`)
    else counts.set(reason, (counts.get(reason) ?? 0) + 1)
    if (ci && known && !needs.every((need) => OPTIONAL_IN_CI.includes(need))) unexpected.push(`must run in CI: ${file}: ${name}`)
  }
  return {
    reasons: [...counts]
      .sort(([left], [right]) => left.localeCompare(right))
      .map(([reason, count]) => `${String(count).padStart(4)} skipped: ${reason}`),
    unexpected,
  }
}
