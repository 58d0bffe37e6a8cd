import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const seed = (...args: string[]) => spawnSync(process.execPath, [join(import.meta.dirname, 'seed.ts'), ...args], { encoding: 'utf8' })

it('the seed command prints its usage for --help', () => {
  const { status, stdout, stderr } = seed('--help')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(stdout).toContain('scale')
})
