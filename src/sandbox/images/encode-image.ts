/*
 * Images of one colour, valid for every decoder and small: JPEG and WebP need no more than a few bytes for each 8 by 8
 * block, or none at all.
 */

export interface ImageShape {
  readonly width: number
  readonly height: number
  /** 16 hexadecimal digits that decide the colour and, in a JPEG, a comment. */
  readonly seed: string
}

/** Encodes a grey baseline JPEG. Its Huffman tables have only the needed codes, at two bits a block. */
export function encodeJpeg({ width, height, seed }: ImageShape): Buffer {
  const grey = 1 + (Number.parseInt(seed.slice(0, 2), 16) % 127)
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8)
  const size = Buffer.alloc(4)
  size.writeUInt16BE(height, 0)
  size.writeUInt16BE(width, 2)
  const category = grey.toString(2).length
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    toSegment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    toSegment(0xfe, Buffer.from(`seed ${seed}`)),
    toSegment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 8)])),
    toSegment(0xc0, Buffer.concat([Buffer.from([8]), size, Buffer.from([1, 1, 0x11, 0])])),
    // First coefficient: "0" means no difference, "10" one of `category` bits.
    toSegment(0xc4, toHuffmanTable(0x00, [1, 1], [0, category])),
    // Other coefficients: "0" ends the block.
    toSegment(0xc4, toHuffmanTable(0x10, [1], [0])),
    toSegment(0xda, Buffer.from([1, 1, 0x00, 0, 63, 0])),
    toScan(`10${grey.toString(2)}0`, 2 * (blocks - 1)),
    Buffer.from([0xff, 0xd9]),
  ])
}

function toSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** `counts` has the number of codes by length in bits, from 1. */
function toHuffmanTable(id: number, counts: readonly number[], symbols: readonly number[]): Buffer {
  const lengths = Buffer.alloc(16)
  lengths.set(counts)
  return Buffer.concat([Buffer.from([id]), lengths, Buffer.from(symbols)])
}

/** Packs bits, zeros, and ones up to a whole byte. A zero byte after each 255 keeps it from being a marker. */
function toScan(first: string, zeros: number): Buffer {
  const bytes = Buffer.alloc(Math.ceil((first.length + zeros) / 8))
  for (const [at, bit] of first.split('').entries()) if (bit === '1') bytes[at >> 3]! |= 0x80 >> (at & 7)
  const padding = bytes.length * 8 - first.length - zeros
  bytes[bytes.length - 1]! |= (1 << padding) - 1
  return Buffer.from([...bytes].flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte])))
}

/** Encodes a lossless WebP of one colour. Each of its five codes has one symbol, so pixels take no bits. */
export function encodeWebp({ width, height, seed }: ImageShape): Buffer {
  const [green, red, blue] = [0, 2, 4].map((at) => Number.parseInt(seed.slice(at, at + 2), 16))
  const bits: [value: number, count: number][] = [
    [0x2f, 8],
    [width - 1, 14],
    [height - 1, 14],
    [0, 4],
    [0, 3],
  ]
  for (const value of [green, red, blue, 255]) bits.push([0b101, 3], [value ?? 0, 8])
  bits.push([0b001, 3], [0, 1])
  const data = fromLowBits(bits)
  const padded = data.length % 2 === 0 ? data : Buffer.concat([data, Buffer.alloc(1)])
  const head = Buffer.alloc(20)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(12 + padded.length, 4)
  head.write('WEBPVP8L', 8, 'latin1')
  head.writeUInt32LE(data.length, 16)
  return Buffer.concat([head, padded])
}

function fromLowBits(fields: readonly (readonly [value: number, count: number])[]): Buffer {
  const total = fields.reduce((sum, [, count]) => sum + count, 0)
  const bytes = Buffer.alloc(Math.ceil(total / 8))
  let at = 0
  for (const [value, count] of fields) {
    for (let bit = 0; bit < count; bit++, at++) if ((value >> bit) & 1) bytes[at >> 3]! |= 1 << (at & 7)
  }
  return bytes
}

export function encodePdf(text: string): Buffer {
  const page = `BT /F1 12 Tf 20 100 Td (${text}) Tj ET`
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${page.length}>>\nstream\n${page}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let body = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  return Buffer.from(
    `${body}${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF\n`,
  )
}
