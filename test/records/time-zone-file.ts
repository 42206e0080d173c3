import { existsSync, readFileSync } from 'node:fs'

export interface ZoneChange {
  /** Seconds since 1970 UTC. */
  readonly at: number
  /** Seconds that local time is ahead of UTC, before and from then on. */
  readonly before: number
  readonly after: number
}

/** The changes of a zone as the tz database of this machine has them (RFC 8536, the 64-bit part); null without one. */
export function readZoneChanges(zone: string): ZoneChange[] | null {
  const path = `/usr/share/zoneinfo/${zone}`
  if (!existsSync(path)) return null
  const file = readFileSync(path)
  const start = headerBytes + dataBytes(file, 0, 4)
  const [count, offsetsAt] = [file.readUInt32BE(start + 32), start + headerBytes]
  const types = offsetsAt + count * 8
  const typeAt = (index: number): number => file.readInt32BE(types + count + file.readUInt8(types + index) * 6)
  const first = file.readInt32BE(types + count)
  return Array.from({ length: count }, (_, index) => ({
    at: Number(file.readBigInt64BE(offsetsAt + index * 8)),
    before: index === 0 ? first : typeAt(index - 1),
    after: typeAt(index),
  }))
}

const headerBytes = 44

/** Bytes after a header whose date-times have `size` bytes. */
function dataBytes(file: Buffer, header: number, size: number): number {
  const [utc = 0, standard = 0, leaps = 0, times = 0, types = 0, characters = 0] = [20, 24, 28, 32, 36, 40].map((at) =>
    file.readUInt32BE(header + at),
  )
  return times * (size + 1) + types * 6 + characters + leaps * (size + 4) + standard + utc
}
