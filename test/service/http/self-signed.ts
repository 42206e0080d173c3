import { generateKeyPairSync, sign } from 'node:crypto'

export interface SelfSigned {
  /** PEM. */
  readonly key: string
  readonly cert: string
}

export interface SelfSignedOptions {
  readonly names: readonly string[]
  readonly validFrom?: Date
  readonly validUntil?: Date
}

const day = 86_400_000

/** A certificate for TLS servers that its own key has signed (X.509 v3, ECDSA with P-256 and SHA-256). */
export function createSelfSigned(options: SelfSignedOptions): SelfSigned {
  const { names, validFrom = new Date(Date.now() - day), validUntil = new Date(Date.now() + day) } = options
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(oid('2a8648ce3d040302'))
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('a test')))))
  const alternatives = sequence(...names.map((each) => der(0x82, Buffer.from(each))))
  const extensions = sequence(sequence(oid('551d11'), der(0x04, alternatives)))
  const body = sequence(
    der(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    sequence(time(validFrom), time(validUntil)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey))
  const certificate = sequence(body, algorithm, signature).toString('base64').replaceAll(/.{64}/g, '$&\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`,
  }
}

/** One element of DER: tag, length, content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, ...parts)
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'))
}

function integer(value: number): Buffer {
  return der(0x02, Buffer.from([value]))
}

/** UTCTime: `260131080000Z`. */
function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/\D/g, '')
  return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`))
}
