import { describe, expect, test } from 'vitest'
import {
  describeFailures,
  failedInPlaywright,
  failedInVitest,
  judgeSkipped,
  skippedInPlaywright,
  skippedInVitest,
} from './test-reports.mjs'

const file = 'src/server/a.test.ts'

describe('skipped tests', () => {
  test('are counted by the reason in their names', () => {
    const skipped = ['reads one [needs bsdtar]', 'reads two [needs bsdtar]', 'reads three [needs S3 store]'].map((name) => ({ file, name }))
    expect(judgeSkipped(skipped, { ci: true })).toEqual({
      reasons: [expect.stringMatching(/2 skipped: needs bsdtar: apt-get/), expect.stringMatching(/1 skipped: needs S3 store: set PLUMB/)],
      unexpected: [],
    })
  })

  test('without a known reason are unexpected everywhere', () => {
    const skipped = ['is skipped', 'is skipped [needs luck]'].map((name) => ({ file, name }))
    expect(judgeSkipped(skipped, { ci: false })).toMatchObject({ reasons: [], unexpected: [expect.any(String), expect.any(String)] })
  })

  test('that need something a CI machine must have are unexpected in CI only', () => {
    const skipped = [{ file, name: 'opens [needs python3]' }]
    expect(judgeSkipped(skipped, { ci: false }).unexpected).toEqual([])
    expect(judgeSkipped(skipped, { ci: true }).unexpected).toEqual([`must run in CI: ${file}: opens [needs python3]`])
  })

  test('are read from the reports of Vitest and Playwright', () => {
    const assertionResults = [
      { status: 'passed', fullName: 'a' },
      { status: 'skipped', fullName: 'b' },
    ]
    expect(skippedInVitest({ testResults: [{ name: file, assertionResults }] })).toEqual([{ file, name: 'b' }])
    const specs = [
      { title: 'c', tests: [{ status: 'expected' }] },
      { title: 'd', tests: [{ status: 'skipped' }] },
    ]
    expect(skippedInPlaywright({ suites: [{ file, title: 'top', suites: [{ file, title: 'inner', specs }] }] })).toEqual([
      { file, name: 'top inner d' },
    ])
  })
})

describe('failed tests', () => {
  test('are read from the reports of Vitest and Playwright, with files that did not load', () => {
    const assertionResults = [
      { status: 'passed', fullName: 'a', failureMessages: [] },
      { status: 'failed', fullName: 'b', failureMessages: ['expected 1 to be 2'] },
    ]
    const testResults = [
      { name: file, message: '', assertionResults },
      { name: 'src/b.test.ts', message: 'no such module', assertionResults: [] },
    ]
    expect(failedInVitest({ testResults })).toEqual([
      { file, name: 'b', message: 'expected 1 to be 2' },
      { file: 'src/b.test.ts', name: '', message: 'no such module' },
    ])
    const specs = [{ title: 'c', tests: [{ status: 'unexpected', results: [{ errors: [{ message: 'timeout' }] }] }] }]
    expect(failedInPlaywright({ suites: [{ file, title: 'top', specs }] })).toEqual([{ file, name: 'top c', message: 'timeout' }])
  })

  test('are described by the first lines of their messages, and the first of them', () => {
    const message = `\u001B[31mExpected\u001B[39m\n\n${'line\n'.repeat(40)}`
    const described = describeFailures(Array.from({ length: 7 }, (_, index) => ({ file, name: `test ${index}`, message })))
    expect(described).toHaveLength(6)
    expect(described[0]?.split('\n').slice(0, 3)).toEqual([`✗ ${file}: test 0`, '    Expected', '    line'])
    expect(described[0]?.split('\n')).toHaveLength(13)
    expect(described.at(-1)).toBe('✗ and 2 more')
  })
})
