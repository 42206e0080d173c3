import { toHex } from './codes.ts'
import { toProductId } from './identity.ts'
import type { Write } from './scope.ts'
import { childSeed } from './seed.ts'
import { baseTime } from './dates.ts'

const media = 'https://media.example.com'

/** The address of a file of the media server. */
export function mediaAddress(path: (hex: string) => string): Write {
  return (seed) => `"${media}/${path(toHex(seed))}"`
}

/** The address of one size of an image: `largeWebp` is `…-large.webp`. */
export function imageAddress(size: string): Write {
  const extension = /(Webp|Jpeg|Jpg)$/.exec(size)?.[0].toLowerCase() ?? 'jpg'
  const ending = `-${size.replace(/(Webp|Jpeg|Jpg)$/, '')}.${extension}"`
  return (_seed, record) => `"${media}/photos/${toHex(record)}${ending}`
}

/** An address as the service signs anew at every request: `embedUrl` leads to `…/embed/`. */
export function signedAddress(page: string): Write {
  const start = `"${media}/${page.replace(/Url$/, '')}/`
  return (seed, _record, index) =>
    `${start}${toProductId(index)}?expires=${baseTime + 10_800}&signature=${toHex(seed)}${toHex(childSeed(seed, 1))}"`
}
