import { toHex } from './codes.ts'
import { baseTime } from './dates.ts'
import { toProductId } from './identity.ts'
import type { Write } from './scope.ts'
import { childSeed } from './seed.ts'

export const mediaHost = 'https://media.example.com'

export function mediaAddress(path: (hex: string) => string): Write {
  return (seed) => `"${mediaHost}/${path(toHex(seed))}"`
}

/** The address of an image in one size: `largeWebp` ends in `-large.webp`. */
export function imageAddress(size: string): Write {
  const extension = /(Webp|Jpeg|Jpg)$/.exec(size)?.[0].toLowerCase() ?? 'jpg'
  const ending = `-${size.replace(/(Webp|Jpeg|Jpg)$/, '')}.${extension}"`
  return (_seed, record) => `"${mediaHost}/photos/${toHex(record)}${ending}`
}

/** An address that the service signs anew for every request: `embedUrl` leads to `…/embed/`. */
export function signedAddress(page: string): Write {
  const start = `"${mediaHost}/${page.replace(/Url$/, '')}/`
  return (seed, _record, index) =>
    `${start}${toProductId(index)}?expires=${baseTime + 10_800}&signature=${toHex(seed)}${toHex(childSeed(seed, 1))}"`
}

const mark = Buffer.from('?expires=')
const publicPage = Buffer.from('/publicPage/')
const signatureMark = '&signature='
const secondsDigits = 10
/** More bytes than an address has between the kind of page and the signature. */
const pathBytes = 64

const embedSeconds = 3 * 3600
const publicPageSeconds = 182 * 86_400

/**
 * Creates a signer that replaces the signatures in the JSON of a record in place. `embedUrl` is valid for hours,
 * `publicPageUrl` for six months from `nowSeconds`. Signatures never repeat, neither between signers nor addresses.
 */
export function createAddressSigner(seed: number, nowSeconds: number): (record: Buffer) => void {
  let signed = 0
  return (record) => {
    for (let at = record.indexOf(mark); at !== -1; at = record.indexOf(mark, at + mark.length)) {
      const isPublic = record.lastIndexOf(publicPage, at) > at - pathBytes
      const expires = nowSeconds + (isPublic ? publicPageSeconds : embedSeconds)
      const expiresAt = at + mark.length
      record.write(String(expires).padStart(secondsDigits, '0'), expiresAt, 'latin1')
      const signature = childSeed(seed, signed++)
      const text = toHex(signature) + toHex(childSeed(signature, 1))
      record.write(text, expiresAt + secondsDigits + signatureMark.length, 'latin1')
    }
  }
}
