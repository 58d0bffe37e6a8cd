import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const startWith = (body: string) => {
  const script = `import { startProgram } from '#server/kernel/program.ts'\nawait startProgram(async () => { ${body} })`
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
}

test('prints a startup problem as one sentence', () => {
  const { status, stderr } = startWith("throw new Error('Port 3000 is already in use.', { cause: new Error('EADDRINUSE') })")
  expect({ status, stderr }).toEqual({ status: 1, stderr: 'Port 3000 is already in use.\n' })
})

test('prints an unexpected error with its stack', () => {
  const { status, stderr } = startWith('undefined.port')
  expect(status).toBe(1)
  expect(stderr).toMatch(/TypeError: Cannot read.*\n +at /)
})

test('leaves a started program running', () => {
  expect(startWith("process.stdout.write('ready')")).toMatchObject({ status: 0, stdout: 'ready', stderr: '' })
})

test.each([
  [
    'a full disk',
    "Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 })",
    /^The disk is full/,
  ],
  [
    'a full disk of the database',
    "new Error('Migration failed', { cause: Object.assign(new Error('x'), { code: '53100' }) })",
    /^The disk is full/,
  ],
  ['a failed initdb on a full disk', "new Error('FATAL: could not write\\nNo space left on device\\nexited')", /^The disk is full/],
  ['a read-only folder', "Object.assign(new Error('EROFS'), { code: 'EROFS', path: '/srv/data' })", /^\/srv\/data cannot be written/],
])('prints %s as one sentence', (_what, error, sentence) => {
  const { status, stderr } = startWith(`throw ${error}`)
  expect(status).toBe(1)
  expect(stderr).toMatch(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
})
