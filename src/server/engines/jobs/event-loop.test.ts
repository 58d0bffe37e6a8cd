import { expect, test, vi } from 'vitest'
import { atMostEvery } from './event-loop.ts'

test('a step runs at the first call and then once in each period, without the calls in between', async () => {
  const time = vi.spyOn(performance, 'now')
  const step = vi.fn<(done: number) => Promise<void>>()
  const progress = atMostEvery(250, step)
  for (const at of [0, 100, 249, 250, 300, 499, 501]) {
    time.mockReturnValue(at)
    await progress(at)
  }
  expect(step.mock.calls).toEqual([[0], [250], [501]])
})
