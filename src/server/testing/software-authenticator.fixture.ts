import { isoCBOR } from '@simplewebauthn/server/helpers'
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

interface Circumstances {
  /** The page that requests it. */
  origin: string
  rpId: string
  /** Whether the authenticator has verified its user, as by a fingerprint. */
  verified?: boolean
  counter?: number
}

/** An authenticator with one key, which answers like a browser. */
export function softwareAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = randomBytes(32)
  const id = text(credentialId)
  const coordinate = (part: string) => new Uint8Array(Buffer.from(part, 'base64url'))
  // A key of the curve P-256 for ES256, in the numbers of COSE.
  const coseKey = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ]),
  )
  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const head = ({ rpId, verified = true, counter = 0 }: Circumstances, flags = 0) => {
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([USER_PRESENT | (verified ? USER_VERIFIED : 0) | flags]), counted])
  }
  return {
    id,
    /** The answer to the options for a new passkey. */
    create(challenge: string, circumstances: Circumstances) {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const authData = Buffer.concat([head(circumstances, HAS_CREDENTIAL), Buffer.alloc(16), length, credentialId, coseKey])
      const attestation = isoCBOR.encode(
        new Map<string, string | Uint8Array | Map<string, string>>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', new Uint8Array(authData)],
        ]),
      )
      const clientDataJSON = text(clientData('webauthn.create', challenge, circumstances.origin))
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: { clientDataJSON, attestationObject: text(attestation), transports: ['internal', 'unknown-transport'] },
        clientExtensionResults: { credProps: { rk: true } },
        authenticatorAttachment: 'platform',
      }
    },
    /** The answer to the options of a sign-in. */
    get(challenge: string, circumstances: Circumstances, userId?: string) {
      const data = clientData('webauthn.get', challenge, circumstances.origin)
      const authenticatorData = head(circumstances)
      const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(data)]), privateKey)
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: text(data),
          authenticatorData: text(authenticatorData),
          signature: text(signature),
          ...(userId === undefined ? {} : { userHandle: Buffer.from(userId).toString('base64url') }),
        },
        clientExtensionResults: {},
      }
    },
  }
}
