import * as fc from 'fast-check'
import { crc32, deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readHeader } from '../../src/media/read-header.ts'
import { encodeJpeg, encodePdf, encodeWebp } from '../../src/sandbox/images/encode-image.ts'
import { cases } from '../depth.ts'

function read(bytes: Buffer) {
  return readHeader((offset, length) => bytes.subarray(offset, Math.min(bytes.length, offset + length)), bytes.length)
}

const seed = '0123456789abcdef'
const plainJpeg = encodeJpeg({ width: 321, height: 123, seed })
const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
/** Small files made by other programs. */
const lossyWebp = Buffer.from('UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA/vuUAAA=', 'base64')
const avif = Buffer.from(
  'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB0AAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQ0MAAAAABNjb2xybmNseAACAAIAAYAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACVtZGF0EgAKCBgANogQEAwgMg8f8D///8WfhwB8+ErK42A=',
  'base64',
)
const png = encodePng(17, 5)

describe('readHeader', () => {
  test.each<[string, Buffer, object]>([
    ['a JPEG', plainJpeg, { extension: 'jpg', contentType: 'image/jpeg', width: 321, height: 123 }],
    ['a JPEG behind 200 kB of profile', withSegments(3, 65_000), { extension: 'jpg', width: 321, height: 123 }],
    ['a JPEG with fill bytes', withFill(), { extension: 'jpg', width: 321, height: 123 }],
    ['a JPEG with more behind its end', Buffer.concat([plainJpeg, Buffer.alloc(5000)]), { width: 321, height: 123 }],
    ['a PNG', png, { extension: 'png', contentType: 'image/png', width: 17, height: 5 }],
    ['a GIF', gif, { extension: 'gif', contentType: 'image/gif', width: 1, height: 1 }],
    ['a lossy WebP', lossyWebp, { extension: 'webp', contentType: 'image/webp', width: 1, height: 1 }],
    ['a lossless WebP', encodeWebp({ width: 1500, height: 900, seed }), { width: 1500, height: 900 }],
    ['an extended WebP', encodeExtendedWebp(40_000, 3), { extension: 'webp', width: 40_000, height: 3 }],
    ['an AVIF', avif, { extension: 'avif', contentType: 'image/avif', width: 2, height: 2 }],
    ['a PDF', encodePdf('text'), { extension: 'pdf', contentType: 'application/pdf', width: null, height: null }],
  ])('recognizes %s with type and size, and as whole', (_, bytes, expected) => {
    expect(read(bytes)).toMatchObject({ ...expected, isWhole: true })
  })

  test.each<[string, Buffer]>([
    ['HTML', Buffer.from('<!doctype html><html></html>')],
    ['JSON', Buffer.from('{"error":{"status":404}}')],
    ['SVG, which may hold a script', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a ZIP', Buffer.from('PK\x03\x04')],
    ['RIFF that is no WebP', Buffer.from('RIFF\x04\0\0\0WAVE')],
    ['nothing', Buffer.alloc(0)],
  ])('%s is no media', (_, bytes) => expect(read(bytes)).toBeNull())

  test.each<[string, Buffer]>([
    ['JPEG', plainJpeg],
    ['PNG', png],
    ['WebP', lossyWebp],
    ['PDF', encodePdf('text')],
  ])('recognizes half of a %s as incomplete', (_, bytes) => {
    expect(read(bytes.subarray(0, Math.ceil(bytes.length / 2)))?.isWhole).toBe(false)
  })

  test('survives any bytes behind the first of a type, with reads that advance', () => {
    const heads = [plainJpeg, png, gif, lossyWebp, encodeExtendedWebp(5, 5), avif].map((bytes) => bytes.subarray(0, 24))
    const input = fc.tuple(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 300 }), fc.nat(24))
    fc.assert(
      fc.property(input, ([head, rest, kept]) => {
        const bytes = Buffer.concat([head.subarray(0, kept), rest])
        let reads = 0
        const header = readHeader((offset, length) => {
          reads++
          return bytes.subarray(offset, Math.min(bytes.length, offset + length))
        }, bytes.length)
        expect(reads).toBeLessThan(bytes.length + 10)
        expect(header === null || header.width === null || Number.isSafeInteger(header.width)).toBe(true)
      }),
      { numRuns: cases(20_000, 2000) },
    )
  })
})

function withSegments(count: number, bytes: number): Buffer {
  const segment = Buffer.concat([
    Buffer.from([0xff, 0xe2, (bytes + 2) >> 8, (bytes + 2) & 255]),
    Buffer.alloc(bytes, 0xc0),
  ])
  return Buffer.concat([
    plainJpeg.subarray(0, 2),
    ...Array.from({ length: count }, () => segment),
    plainJpeg.subarray(2),
  ])
}

function withFill(): Buffer {
  return Buffer.concat([plainJpeg.subarray(0, 2), Buffer.alloc(7, 0xff), plainJpeg.subarray(2)])
}

function encodePng(width: number, height: number): Buffer {
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([8, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(height * (width + 1)))
  const chunks = [toChunk('IHDR', size), toChunk('IDAT', rows), toChunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])
}

function toChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32BE(data.length, 0)
  numbers.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([numbers.subarray(0, 4), body, numbers.subarray(4)])
}

/** The header alone, stating its length. */
function encodeExtendedWebp(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(30)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(22, 4)
  bytes.write('WEBPVP8X', 8, 'latin1')
  bytes.writeUInt32LE(10, 16)
  bytes.writeUIntLE(width - 1, 24, 3)
  bytes.writeUIntLE(height - 1, 27, 3)
  return bytes
}
