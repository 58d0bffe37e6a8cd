import { describe, expect, test } from 'vitest'
import { retryDeadlock } from './transact.ts'

const deadlock = () => Object.assign(new Error('deadlock detected'), { code: '40P01' })

/** Work that throws these errors, one each time, and then returns. */
function failing(...errors: unknown[]) {
  const runs = { count: 0 }
  const work = async () => {
    runs.count += 1
    if (runs.count <= errors.length) throw errors[runs.count - 1]
    return 'done'
  }
  return { runs, work }
}

describe('a transaction', () => {
  test('is repeated after a deadlock', async () => {
    const { runs, work } = failing(deadlock(), deadlock())
    expect(await retryDeadlock(work)).toBe('done')
    expect(runs.count).toBe(3)
  })

  test('fails after three deadlocks', async () => {
    const { runs, work } = failing(deadlock(), deadlock(), deadlock(), deadlock())
    await expect(retryDeadlock(work)).rejects.toMatchObject({ code: '40P01' })
    expect(runs.count).toBe(3)
  })

  test.each([
    ['a unique violation', Object.assign(new Error('duplicate key'), { code: '23505' })],
    ['an error without a code', new Error('broken')],
    ['a thrown text', '40P01'],
    ['a thrown null', null],
    ['a thrown undefined', undefined],
  ])('is not repeated after %s', async (_name, error) => {
    const { runs, work } = failing(error)
    await expect(retryDeadlock(work)).rejects.toBe(error)
    expect(runs.count).toBe(1)
  })
})
