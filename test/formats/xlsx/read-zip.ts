import { crc32, inflateRawSync } from 'node:zlib'

/** The files of a zip by path, in the order of its directory; throws if sizes, offsets or checksums are wrong. */
export function readZip(zip: Buffer): Map<string, string> {
  const end = zip.length - 22
  if (zip.readUInt32LE(end) !== 0x06054b50) throw new Error('expected the end of a zip')
  const count = zip.readUInt16LE(end + 10)
  let at = zip.readUInt32LE(end + 16)
  if (at + zip.readUInt32LE(end + 12) !== end) throw new Error('expected the directory before the end')
  const files = new Map<string, string>()
  for (let index = 0; index < count; index++) {
    const path = zip.toString('latin1', at + 46, at + 46 + zip.readUInt16LE(at + 28))
    files.set(path, readContent(zip, at, path))
    at += 46 + path.length + zip.readUInt16LE(at + 30)
  }
  return files
}

function readContent(zip: Buffer, header: number, path: string): string {
  const [crc, compressedBytes, bytes] = [16, 20, 24].map((offset) => zip.readUInt32LE(header + offset))
  const local = zip.readUInt32LE(header + 42)
  if (zip.toString('latin1', local + 30, local + 30 + zip.readUInt16LE(local + 26)) !== path) throw new Error(path)
  if (zip.compare(zip, header + 16, header + 28, local + 14, local + 26) !== 0) throw new Error(`${path}: two headers`)
  const start = local + 30 + path.length + zip.readUInt16LE(local + 28)
  const content = inflateRawSync(zip.subarray(start, start + (compressedBytes ?? 0)))
  if (content.length !== bytes || crc32(content) !== crc) throw new Error(`${path}: expected other content`)
  return content.toString()
}
