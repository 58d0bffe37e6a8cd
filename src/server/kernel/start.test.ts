import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

const startWith = (body: string) => {
  const script = `import { startProgram } from '#server/kernel/start.ts'\nawait startProgram(async () => { ${body} })`
  return spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
}

test('what keeps the program from starting is one sentence', () => {
  const { status, stderr } = startWith("throw new Error('Port 3000 is taken.', { cause: new Error('EADDRINUSE') })")
  expect({ status, stderr }).toEqual({ status: 1, stderr: 'Port 3000 is taken.\n' })
})

test('a defect shows where it came from', () => {
  const { status, stderr } = startWith('undefined.port')
  expect(status).toBe(1)
  expect(stderr).toMatch(/TypeError: Cannot read.*\n +at /)
})

test('a program that has started goes on', () => {
  expect(startWith("process.stdout.write('ready')")).toMatchObject({ status: 0, stdout: 'ready', stderr: '' })
})
