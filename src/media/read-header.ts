export interface MediaType {
  readonly extension: string
  readonly contentType: string
}

export interface MediaHeader extends MediaType {
  /** In pixels; null for documents or if the header does not say. */
  readonly width: number | null
  readonly height: number | null
  /** False if the end that every file of the type has is missing. */
  readonly isWhole: boolean
}

export type ReadBytes = (offset: number, length: number) => Buffer

type Size = readonly [width: number, height: number]

interface Format extends MediaType {
  readonly matches: (head: Buffer) => boolean
  readonly readSize: (read: ReadBytes, bytes: number) => Size | null
  readonly isWhole: (read: ReadBytes, bytes: number) => boolean
}

/**
 * Reads type and dimensions of a file from its first bytes; null for anything else, such as a page of HTML. Reads a few
 * bytes of each segment, whereas image-size needs the whole file and rejects fill bytes.
 */
export function readHeader(read: ReadBytes, bytes: number): MediaHeader | null {
  const head = read(0, 1024)
  const format = formats.find(({ matches }) => matches(head))
  if (format === undefined) return null
  const { extension, contentType } = format
  const size = format.readSize(read, bytes)
  const [width = null, height = null] = size ?? []
  return { extension, contentType, width, height, isWhole: format.isWhole(read, bytes) }
}

const formats: readonly Format[] = [
  {
    extension: 'jpg',
    contentType: 'image/jpeg',
    matches: (head) => head.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
    readSize: readJpegSize,
    // Data may follow the end: cameras append videos, programs their own data.
    isWhole: (read, bytes) => readEnd(read, bytes, 65_536).includes(Buffer.from([0xff, 0xd9])),
  },
  {
    extension: 'png',
    contentType: 'image/png',
    matches: (head) => head.subarray(0, 8).equals(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')),
    readSize: (read) => toSize(read(16, 8), 8, (head) => [head.readUInt32BE(0), head.readUInt32BE(4)]),
    isWhole: (read, bytes) => readEnd(read, bytes, 4096).includes('IEND'),
  },
  {
    extension: 'webp',
    contentType: 'image/webp',
    matches: (head) => isText(head, 0, 'RIFF') && isText(head, 8, 'WEBP'),
    readSize: readWebpSize,
    isWhole: (read, bytes) => bytes >= 12 && bytes >= read(4, 4).readUInt32LE(0) + 8,
  },
  {
    extension: 'gif',
    contentType: 'image/gif',
    matches: (head) => isText(head, 0, 'GIF87a') || isText(head, 0, 'GIF89a'),
    readSize: (read) => toSize(read(6, 4), 4, (head) => [head.readUInt16LE(0), head.readUInt16LE(2)]),
    isWhole: (read, bytes) => readEnd(read, bytes, 1024).includes(0x3b),
  },
  {
    extension: 'avif',
    contentType: 'image/avif',
    matches: (head) => isText(head, 4, 'ftyp') && /^avi[fs]/.test(head.toString('latin1', 8, 12)),
    readSize: readAvifSize,
    isWhole: () => true,
  },
  {
    extension: 'pdf',
    contentType: 'application/pdf',
    matches: (head) => head.includes('%PDF-'),
    readSize: () => null,
    isWhole: (read, bytes) => readEnd(read, bytes, 4096).includes('%%EOF'),
  },
]

function isText(head: Buffer, at: number, text: string): boolean {
  return head.toString('latin1', at, at + text.length) === text
}

function readEnd(read: ReadBytes, bytes: number, length: number): Buffer {
  return read(Math.max(0, bytes - length), length)
}

function toSize(head: Buffer, length: number, toSides: (head: Buffer) => Size): Size | null {
  return head.length < length ? null : toSides(head)
}

/** Follows segments to the frame header; profiles and previews of any length come before it. */
function readJpegSize(read: ReadBytes, bytes: number): Size | null {
  for (let at = 2; at + 9 <= bytes;) {
    const segment = read(at, 9)
    const marker = segment[1] as number
    if (segment.length < 9 || segment[0] !== 0xff) return null
    if (isFrame(marker)) return [segment.readUInt16BE(7), segment.readUInt16BE(5)]
    // Fill bytes, markers without a length, and segments.
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else at += 2 + Math.max(2, segment.readUInt16BE(2))
  }
  return null
}

/** SOF0 to SOF15, without the three markers among them that begin no frame. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
}

function readWebpSize(read: ReadBytes): Size | null {
  const head = read(12, 18)
  if (head.length < 13) return null
  const kind = head.toString('latin1', 0, 4)
  if (kind === 'VP8X' && head.length === 18) return [head.readUIntLE(12, 3) + 1, head.readUIntLE(15, 3) + 1]
  if (kind === 'VP8 ' && head.length === 18) return [head.readUInt16LE(14) & 0x3fff, head.readUInt16LE(16) & 0x3fff]
  if (kind !== 'VP8L') return null
  const bits = head.readUInt32LE(9)
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
}

/** The largest size in the file's properties, which include those of previews. */
function readAvifSize(read: ReadBytes): Size | null {
  const head = read(0, 65_536)
  let largest: Size | null = null
  for (let at = head.indexOf('ispe'); at >= 0 && at + 16 <= head.length; at = head.indexOf('ispe', at + 4)) {
    const size: Size = [head.readUInt32BE(at + 8), head.readUInt32BE(at + 12)]
    if (largest === null || size[0] * size[1] > largest[0] * largest[1]) largest = size
  }
  return largest
}
