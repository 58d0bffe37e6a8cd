import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { dataFolder } from './data-folders.ts'

const root = mkdtempSync(join(tmpdir(), 'data-folders-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('data of the same migrations is reused, and data of others is created again from an empty folder', async () => {
  const path = join(root, 'small')
  const created: string[] = []
  const open = (version: string) =>
    dataFolder(path, version, async () => {
      writeFileSync(join(path, `data of ${version}`), '')
      created.push(version)
    })
  for (const version of ['064', '064', '065', '064']) await open(version)
  expect(created).toEqual(['064', '065', '064'])
  expect(existsSync(join(path, 'data of 065'))).toBe(false)
})

it('data whose creation failed is created again', async () => {
  const path = join(root, 'interrupted')
  await expect(dataFolder(path, '064', () => Promise.reject(new Error('killed')))).rejects.toThrow('killed')
  let created = false
  await dataFolder(path, '064', async () => {
    created = true
  })
  expect(created).toBe(true)
})
