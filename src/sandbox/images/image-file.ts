import { createHash } from 'node:crypto'
import { encodeJpeg, encodePdf, encodeWebp } from './encode-image.ts'

export const imagesPath = '/images/'

export interface ImageFile {
  readonly contentType: string
  readonly bytes: Buffer
  readonly etag: string
}

/** Longest sides in pixels (specification: Limits, Image sizes). */
const sides: Readonly<Record<string, number>> = { thumbnail: 200, medium: 450, large: 900, huge: 1500 }

/**
 * Creates the file at a path below `imagesPath` on a day of the sandbox; null if there is none. A photo has the same
 * shape in every size. A twentieth of the photos changes each day.
 */
export function createImageFile(path: string, day: number): ImageFile | null {
  const [, folder, id = '', name = '', extension = ''] =
    /^\/images\/(photos|leaflets)\/([0-9a-f]+)(?:-([A-Za-z]+))?\.(jpg|jpeg|webp|pdf)$/.exec(path) ?? []
  if (folder === undefined) return null
  const version = toVersion(id, day)
  if (folder === 'leaflets') return extension === 'pdf' ? toFile(encodePdf(`Leaflet ${id} ${name}`), extension) : null
  const side = sides[name === '' ? 'large' : name]
  if (side === undefined || extension === 'pdf') return null
  const seed = createHash('sha256').update(`${id} ${version}`).digest('hex').slice(0, 16)
  const [width, height] = toSize(id, side)
  const encode = extension === 'webp' ? encodeWebp : encodeJpeg
  return toFile(encode({ width, height, seed }), extension)
}

/** The day of the last change up to `day`; 0 if there was none. */
function toVersion(id: string, day: number): number {
  const own = toNumber(id) % daysBetweenChanges
  const last = day - ((day + own) % daysBetweenChanges)
  return Math.max(0, last)
}

const daysBetweenChanges = 20

/** The format decides the longest side; the other one is half to all of its length. */
function toSize(id: string, side: number): readonly [width: number, height: number] {
  const number = toNumber(id) >> 8
  const other = Math.round((side * (5 + (number % 6))) / 10)
  return number % 2 === 0 ? [side, other] : [other, side]
}

function toNumber(id: string): number {
  return createHash('sha256').update(id).digest().readUInt16BE(0)
}

const contentTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
}

function toFile(bytes: Buffer, extension: string): ImageFile {
  const digest = createHash('sha256').update(bytes).digest('hex')
  return { contentType: contentTypes[extension] ?? '', bytes, etag: `"${digest.slice(0, 20)}"` }
}
