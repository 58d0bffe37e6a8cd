import { expect, test } from 'vitest'
import { giveBack, POOLED_BYTES, takeBuffer } from './durable-file.ts'

test('reuses a returned buffer', () => {
  const first = takeBuffer(POOLED_BYTES)
  giveBack(first)
  expect(takeBuffer(POOLED_BYTES).buffer).toBe(first.buffer)
})

test('lends a buffer once even if it was returned twice', () => {
  const chunk = takeBuffer(POOLED_BYTES)
  giveBack(chunk)
  giveBack(chunk.subarray(10))
  expect(takeBuffer(POOLED_BYTES).buffer).toBe(chunk.buffer)
  expect(takeBuffer(POOLED_BYTES).buffer).not.toBe(chunk.buffer)
})

test('never lends a buffer that is not from the pool', () => {
  const foreign = Buffer.alloc(POOLED_BYTES)
  giveBack(foreign)
  expect(takeBuffer(POOLED_BYTES).buffer).not.toBe(foreign.buffer)
})

test('allocates small buffers at their size', () => {
  expect(takeBuffer(100).buffer.byteLength).toBe(100)
})
