// Reads skipped tests from the JSON reports of Vitest and Playwright, with the reason in the name: `… [needs bsdtar]`.

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
/** Skipped tests of a report of Vitest, as `{ file, name }`. */
export const skippedInVitest = (report) =>
  report.testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.filter(({ status }) => ['skipped', 'pending', 'todo'].includes(status)).map(({ fullName: name }) => ({ file, name })),
  )

export const skippedInPlaywright = (report) => report.suites.flatMap((suite) => skippedInSuite(suite, ''))

function skippedInSuite({ file, title, specs = [], suites = [] }, above) {
  const prefix = `${above}${title} `
  const own = specs
    .filter(({ tests }) => tests.some(({ status }) => status === 'skipped'))
    .map((spec) => ({ file, name: prefix + spec.title }))
  return [...own, ...suites.flatMap((suite) => skippedInSuite(suite, prefix))]
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
