/**
 * Values in the compact protocol of Thrift, in which Parquet writes its metadata: described first, then formatted. In a
 * struct the key of a value is the number of its field; an undefined one is left out.
 */
export type ThriftValue =
  | { readonly type: typeof wire.i16 | typeof wire.i32 | typeof wire.i64; readonly value: number }
  | { readonly type: typeof wire.boolean; readonly value: boolean }
  | { readonly type: typeof wire.binary; readonly value: Uint8Array }
  | { readonly type: typeof wire.list; readonly value: readonly ThriftValue[] }
  | { readonly type: typeof wire.struct; readonly value: ThriftFields | Uint8Array }

export type ThriftFields = Readonly<Record<number, ThriftValue | undefined>>

/** The values of a list are of the same type; an empty list counts as one of structs. */
export const thrift = {
  i16: (value: number): ThriftValue => ({ type: wire.i16, value }),
  i32: (value: number): ThriftValue => ({ type: wire.i32, value }),
  i64: (value: number): ThriftValue => ({ type: wire.i64, value }),
  boolean: (value: boolean): ThriftValue => ({ type: wire.boolean, value }),
  binary: (value: Uint8Array): ThriftValue => ({ type: wire.binary, value }),
  text: (value: string): ThriftValue => ({ type: wire.binary, value: Buffer.from(value) }),
  list: (value: readonly ThriftValue[]): ThriftValue => ({ type: wire.list, value }),
  struct: (value: ThriftFields): ThriftValue => ({ type: wire.struct, value }),
  formatted: (value: Uint8Array): ThriftValue => ({ type: wire.struct, value }),
}

/** Formats a struct into a buffer of exactly its size: some are kept. */
export function formatThrift(fields: ThriftFields): Uint8Array {
  const output = { bytes: Buffer.allocUnsafe(256), at: 0 }
  writeFields(output, fields)
  return new Uint8Array(output.bytes.subarray(0, output.at))
}

/** The protocol's numbers of types; a boolean is 1 if true, 2 if false. */
const wire = { boolean: 1, i16: 4, i32: 5, i64: 6, binary: 8, list: 9, struct: 12 } as const

interface Output {
  bytes: Buffer
  at: number
}

/** Field numbers have to ascend, as the keys of an object do. */
function writeFields(output: Output, fields: ThriftFields): void {
  let last = 0
  for (const key in fields) {
    const field = fields[key]
    if (field === undefined) continue
    const type = field.type === wire.boolean ? toBooleanType(field.value) : field.type
    // Parquet has no field whose number exceeds the one before by more than 15.
    writeByte(output, ((Number(key) - last) << 4) | type)
    if (field.type !== wire.boolean) writeValue(output, field)
    last = Number(key)
  }
  writeByte(output, 0)
}

function writeValue(output: Output, thriftValue: ThriftValue): void {
  switch (thriftValue.type) {
    case wire.boolean:
      return writeByte(output, toBooleanType(thriftValue.value))
    case wire.i16:
    case wire.i32:
    case wire.i64:
      return writeVarint(output, toZigzag(thriftValue.value))
    case wire.binary:
      writeVarint(output, thriftValue.value.length)
      return writeBytes(output, thriftValue.value)
    case wire.list: {
      const { length } = thriftValue.value
      const type = thriftValue.value[0]?.type ?? wire.struct
      writeByte(output, (Math.min(length, 15) << 4) | type)
      if (length >= 15) writeVarint(output, length)
      for (const element of thriftValue.value) writeValue(output, element)
      return
    }
    case wire.struct: {
      const { value } = thriftValue
      return value instanceof Uint8Array ? writeBytes(output, value) : writeFields(output, value)
    }
  }
}

function toBooleanType(value: boolean): number {
  return value ? 1 : 2
}

/** Maps small numbers of either sign to small numbers. */
function toZigzag(value: number): number {
  return value < 0 ? -value * 2 - 1 : value * 2
}

/** Seven bits a byte, the lowest first; the highest bit says that there are more. */
function writeVarint(output: Output, value: number): void {
  let rest = value
  for (; rest >= 128; rest = Math.floor(rest / 128)) writeByte(output, (rest % 128) | 128)
  writeByte(output, rest)
}

function writeBytes(output: Output, bytes: Uint8Array): void {
  makeRoom(output, bytes.length)
  output.bytes.set(bytes, output.at)
  output.at += bytes.length
}

function writeByte(output: Output, byte: number): void {
  makeRoom(output, 1)
  output.bytes[output.at++] = byte
}

function makeRoom(output: Output, more: number): void {
  if (output.at + more <= output.bytes.length) return
  const grown = Buffer.allocUnsafe(Math.max(output.bytes.length * 2, output.at + more))
  output.bytes.copy(grown, 0, 0, output.at)
  output.bytes = grown
}
