/** A zip of files that are not compressed, as bytes; without checksums, which nobody reads here. */
export function storeZip(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, content] of Object.entries(files)) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(content)]
    const common = Buffer.alloc(26)
    common.writeUInt32LE(bytes.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(path.length, 22)
    parts.push(Buffer.from('PK\u0003\u0004'), common, path, bytes)
    const central = Buffer.alloc(42)
    common.copy(central, 2)
    central.writeUInt32LE(at, 38)
    directory.push(Buffer.from('PK\u0001\u0002'), central, path)
    at += 30 + path.length + bytes.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(Object.keys(files).length, 6)
  end.writeUInt32LE(listed.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...parts, listed, Buffer.from('PK\u0005\u0006'), end])
}
