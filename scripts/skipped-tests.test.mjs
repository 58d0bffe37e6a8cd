import { describe, expect, test } from 'vitest'
import { judgeSkipped, skippedInPlaywright, skippedInVitest } from './skipped-tests.mjs'

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
