import { afterAll } from 'vitest'
import { hashPassword } from '#server/engines/secrets/passwords.ts'
import { testApp } from '#server/testing/app.ts'
import { hashCheaply } from '#server/testing/cheap-hashing.fixture.ts'
import { makeUser } from '#server/testing/factories/people.ts'
import { movingClock } from '#server/testing/moving-clock.fixture.ts'

export const PASSWORD = 'correct horse battery'

/**
 * A server with a moving clock, cheap hashes and users with PASSWORD for the tests of one file, which calls
 * `vi.mock('@node-rs/argon2', { spy: true })` first.
 */
export async function testSignIns({ worker = false, env = {} }: { worker?: boolean; env?: Record<string, string> } = {}) {
  const clock = movingClock()
  const app = await testApp({ clock, worker, env })
  afterAll(() => app.stop())
  await hashCheaply()
  const passwordHash = await hashPassword(PASSWORD, app.system.config.secretKey)
  const newUser = (options: Parameters<typeof makeUser>[1] = {}) => makeUser(app.system, { passwordHash, ...options })
  return { app, clock, newUser }
}
