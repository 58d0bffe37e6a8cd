import { describe, expect, it } from 'vitest'
import { hashPassword, verifyPassword } from './passwords.ts'
import { hashCode, newCode, newToken, seal, unseal } from './tokens.ts'

describe('passwords', () => {
  it('are verified by what was stored, with the server’s own secret only', async () => {
    const stored = await hashPassword('Grüße, Welt', 'pepper')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
    const answers = await Promise.all([
      verifyPassword(stored, 'Grüße, Welt', 'pepper'),
      verifyPassword(stored, 'Grüße, Welt'.normalize('NFD'), 'pepper'),
      verifyPassword(stored, 'grüße, welt', 'pepper'),
      verifyPassword(stored, 'Grüße, Welt', 'another pepper'),
      verifyPassword(undefined, 'Grüße, Welt', 'pepper'),
      verifyPassword(null, '', 'pepper'),
    ])
    expect(answers).toEqual([true, true, false, false, false, false])
  })
})

describe('tokens', () => {
  it('are 256 random bits that may stand in an address', () => {
    const tokens = Array.from({ length: 200 }, newToken)
    expect(new Set(tokens).size).toBe(200)
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  it('codes are six digits, leading zeros kept', () => {
    const codes = Array.from({ length: 2_000 }, newCode)
    for (const code of codes) expect(code).toMatch(/^\d{6}$/)
    expect(codes.some((code) => code.startsWith('0'))).toBe(true)
  })

  it('a code is hashed for its own session and server', () => {
    const hashes = [hashCode('s', 'a', '123456'), hashCode('s', 'b', '123456'), hashCode('t', 'a', '123456'), hashCode('s', 'a', '123457')]
    expect(new Set(hashes.map((hash) => hash.toString('hex'))).size).toBe(4)
  })
})

describe('a sealed text', () => {
  it('opens with its secret and with no other, and not when a bit was changed', () => {
    const sealed = seal('secret', 'Grüße')
    expect(unseal('secret', sealed)).toBe('Grüße')
    expect(() => unseal('other', sealed)).toThrow()
    for (const at of [0, 12, sealed.length - 1]) {
      const bent = Buffer.from(sealed)
      bent[at] = (bent[at] ?? 0) ^ 1
      expect(() => unseal('secret', bent)).toThrow()
    }
    expect(seal('secret', 'Grüße').equals(sealed)).toBe(false)
  })
})
