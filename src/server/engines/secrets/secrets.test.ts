import { describe, expect, it } from 'vitest'
import { networkOf } from './limiter.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { isSigned, sign, hashCode, newCode, newToken, seal, unseal } from './tokens.ts'

describe('passwords', () => {
  it('verifies a password against its hash and the server secret only', async () => {
    const stored = await hashPassword('Grüße, Welt', 'pepper')
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
    const answers = await Promise.all([
      verifyPassword(stored, 'Grüße, Welt', 'pepper'),
      verifyPassword(stored, 'Grüße, Welt'.normalize('NFD'), 'pepper'),
      verifyPassword(stored, 'grüße, welt', 'pepper'),
      verifyPassword(stored, 'Grüße, Welt', 'another pepper'),
    ])
    expect(answers).toEqual([true, true, false, false])
  })
})

describe('tokens', () => {
  it('session token is 256 random bits, URL-safe', () => {
    const tokens = Array.from({ length: 200 }, newToken)
    expect(new Set(tokens).size).toBe(200)
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })

  it('sign-in code has six digits, including leading zeros', () => {
    const codes = Array.from({ length: 2_000 }, newCode)
    for (const code of codes) expect(code).toMatch(/^\d{6}$/)
    expect(codes.some((code) => code.startsWith('0'))).toBe(true)
  })

  it('code hash depends on the session and the secret', () => {
    const hashes = [hashCode('s', 'a', '123456'), hashCode('s', 'b', '123456'), hashCode('t', 'a', '123456'), hashCode('s', 'a', '123457')]
    expect(new Set(hashes.map((hash) => hash.toString('hex'))).size).toBe(4)
  })
})

describe('sealed texts', () => {
  it('opens a text with its own secret only, and not after a bit has changed', () => {
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

describe('signatures', () => {
  const signature = sign('secret', 'download', 'file-1', '1000')

  it('verifies a signature for the same secret, purpose and fields', () => {
    expect(isSigned(signature, 'secret', 'download', 'file-1', '1000')).toBe(true)
  })

  it.each([
    ['another secret', signature, ['other', 'download', 'file-1', '1000']],
    ['another purpose', signature, ['secret', 'upload', 'file-1', '1000']],
    ['another field', signature, ['secret', 'download', 'file-2', '1000']],
    ['fields split at another place', signature, ['secret', 'download', 'file-11', '000']],
    ['a missing field', signature, ['secret', 'download', 'file-1']],
    ['a shortened signature', signature.slice(0, -2), ['secret', 'download', 'file-1', '1000']],
    ['an empty signature', '', ['secret', 'download', 'file-1', '1000']],
  ] as const)('rejects a signature for %s', (_reason, given, [secret, purpose, ...fields]) => {
    expect(isSigned(given, secret, purpose, ...fields)).toBe(false)
  })
})

describe('the network of a client', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::9', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['not an address', 'not an address'],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
