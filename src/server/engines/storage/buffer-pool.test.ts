import { expect, test } from 'vitest'
import { giveBack, POOLED_BYTES, takeBuffer } from './buffer-pool.ts'

test('memory handed back is used again', () => {
  const first = takeBuffer(POOLED_BYTES)
  giveBack(first)
  expect(takeBuffer(POOLED_BYTES).buffer).toBe(first.buffer)
})

test('memory is never in two hands: handed back twice, it is given out once', () => {
  const chunk = takeBuffer(POOLED_BYTES)
  giveBack(chunk)
  giveBack(chunk.subarray(10))
  expect(takeBuffer(POOLED_BYTES).buffer).toBe(chunk.buffer)
  expect(takeBuffer(POOLED_BYTES).buffer).not.toBe(chunk.buffer)
})

test('what came from elsewhere is never given out', () => {
  const foreign = Buffer.alloc(POOLED_BYTES)
  giveBack(foreign)
  expect(takeBuffer(POOLED_BYTES).buffer).not.toBe(foreign.buffer)
})

test('a small read gets memory of its own size', () => {
  expect(takeBuffer(100).buffer.byteLength).toBe(100)
})
