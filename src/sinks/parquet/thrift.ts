import { parquetFailure } from './parquet-failure.ts'

/**
 * A struct of the compact protocol of Thrift: the type and the undecoded bytes of each field, by its id. What nobody
 * decodes stays as it was, to the byte.
 */
export type ThriftStruct = ReadonlyMap<number, ThriftField>

export interface ThriftField {
  readonly type: number
  readonly bytes: Uint8Array
}

/** The elements of a list, each undecoded. */
export interface ThriftList {
  readonly type: number
  readonly elements: readonly Uint8Array[]
}

/** The types that Parquet's metadata has. A boolean field is all type and no bytes. */
export const thriftTypes = {
  true: 1,
  false: 2,
  byte: 3,
  int16: 4,
  int32: 5,
  int64: 6,
  double: 7,
  binary: 8,
  list: 9,
  struct: 12,
} as const

/** Throws OUTPUT_FAILED where the bytes are not exactly one struct. */
export function parseStruct(bytes: Uint8Array): ThriftStruct {
  const input = { bytes, at: 0 }
  const fields = new Map<number, ThriftField>()
  let id = 0
  for (let header = readByte(input); header !== 0; header = readByte(input)) {
    const type = header & 15
    id = header < 16 ? fromZigzag(readVarint(input)) : id + (header >> 4)
    const start = input.at
    skipField(input, type)
    fields.set(id, { type, bytes: bytes.subarray(start, input.at) })
  }
  requireEnd(input)
  return fields
}

export function parseList(bytes: Uint8Array): ThriftList {
  const input = { bytes, at: 0 }
  const { type, length } = readListHeader(input)
  const elements = Array.from({ length }, () => {
    const start = input.at
    skipElement(input, type)
    return bytes.subarray(start, input.at)
  })
  requireEnd(input)
  return { type, elements }
}

/** An integer of 16, 32 or 64 bits; throws OUTPUT_FAILED beyond 2^52. */
export function parseInteger(bytes: Uint8Array): number {
  const input = { bytes, at: 0 }
  const value = fromZigzag(readVarint(input))
  requireEnd(input)
  return value
}

export function formatStruct(fields: ThriftStruct): Uint8Array {
  const parts: Uint8Array[] = []
  let last = 0
  for (const [id, { type, bytes }] of [...fields].toSorted(([one], [other]) => one - other)) {
    const delta = id - last
    parts.push(Uint8Array.from(delta < 16 ? [(delta << 4) | type] : [type, ...toVarint(toZigzag(id))]), bytes)
    last = id
  }
  return Buffer.concat([...parts, Uint8Array.of(0)])
}

export function formatList({ type, elements }: ThriftList): Uint8Array {
  const { length } = elements
  const header = length < 15 ? [(length << 4) | type] : [0xf0 | type, ...toVarint(length)]
  return Buffer.concat([Uint8Array.from(header), ...elements])
}

/** An integer up to 2^52. */
export function formatInteger(value: number): Uint8Array {
  return Uint8Array.from(toVarint(toZigzag(value)))
}

export function formatText(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  return Buffer.concat([Uint8Array.from(toVarint(bytes.length)), bytes])
}

interface Input {
  readonly bytes: Uint8Array
  at: number
}

function skipStruct(input: Input): void {
  for (let header = readByte(input); header !== 0; header = readByte(input)) {
    if (header < 16) skipVarint(input)
    skipField(input, header & 15)
  }
}

function skipField(input: Input, type: number): void {
  if (type !== thriftTypes.true && type !== thriftTypes.false) skipElement(input, type)
}

/** An element of a list, or a field that is no boolean. */
function skipElement(input: Input, type: number): void {
  switch (type) {
    case thriftTypes.true:
    case thriftTypes.false:
    case thriftTypes.byte:
      return void readByte(input)
    case thriftTypes.int16:
    case thriftTypes.int32:
    case thriftTypes.int64:
      return skipVarint(input)
    case thriftTypes.double:
      return skipBytes(input, 8)
    case thriftTypes.binary:
      return skipBytes(input, readVarint(input))
    case thriftTypes.list: {
      const list = readListHeader(input)
      for (let index = 0; index < list.length; index++) skipElement(input, list.type)
      return
    }
    case thriftTypes.struct:
      return skipStruct(input)
    default:
      throw damaged(`has a value of type ${type}`)
  }
}

function readListHeader(input: Input): { type: number; length: number } {
  const header = readByte(input)
  const length = header >> 4
  return { type: header & 15, length: length === 15 ? readVarint(input) : length }
}

function readVarint(input: Input): number {
  let value = 0
  for (let unit = 1; ; unit *= 128) {
    const byte = readByte(input)
    value += (byte & 127) * unit
    if (value > Number.MAX_SAFE_INTEGER) throw damaged('has a number that is too large')
    if (byte < 128) return value
  }
}

function skipVarint(input: Input): void {
  while (readByte(input) >= 128);
}

function readByte(input: Input): number {
  const byte = input.bytes[input.at]
  if (byte === undefined) throw damaged('ends early')
  input.at += 1
  return byte
}

function skipBytes(input: Input, count: number): void {
  input.at += count
  if (input.at > input.bytes.length) throw damaged('ends early')
}

function requireEnd({ bytes, at }: Input): void {
  if (at !== bytes.length) throw damaged('goes on behind its end')
}

function fromZigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

/** Small numbers, of either sign, as small numbers. */
function toZigzag(value: number): number {
  return value < 0 ? -value * 2 - 1 : value * 2
}

/** Seven bits a byte, the lowest first; the highest bit says that there are more. */
function toVarint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return [...bytes, rest]
}

function damaged(what: string): Error {
  return parquetFailure(`the metadata ${what}`)
}
