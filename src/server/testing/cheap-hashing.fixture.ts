import { vi } from 'vitest'
import { hash, verify } from '@node-rs/argon2'
import type * as Argon from '@node-rs/argon2'

const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 } as const

/**
 * Hashes passwords with minimal cost, for tests that are not about the cost. The test file calls
 * `vi.mock('@node-rs/argon2', { spy: true })` first; `verify` still records its calls.
 */
export async function hashCheaply(): Promise<void> {
  const real = await vi.importActual<typeof Argon>('@node-rs/argon2')
  vi.mocked(hash).mockImplementation((text) => real.hash(text, CHEAP))
  vi.mocked(verify).mockImplementation(async (stored, text) => String(stored).includes('m=8,') && real.verify(stored, text))
}
