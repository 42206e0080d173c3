/**
 * A value of FlatBuffers. A table has its fields by slot, undefined for the default. A `shared` table may occur several
 * times and is written once, as are texts and empty lists.
 */
export type FlatValue =
  | { readonly kind: 'byte' | 'short' | 'int' | 'long'; readonly value: number }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'table' | 'shared'; readonly table: FlatTable }
  | { readonly kind: 'list'; readonly tables: readonly FlatTable[] }

export interface FlatTable {
  readonly fields: readonly (FlatValue | undefined)[]
}

const sizes = { byte: 1, short: 2, int: 4, long: 8, text: 4, table: 4, shared: 4, list: 4 } as const

/**
 * The bytes of a buffer with this root table, a multiple of 8. The same table gives the same bytes, but not those of
 * the library `flatbuffers`, which writes from the end to the beginning.
 */
export function formatFlatbuffer(root: FlatTable): Uint8Array {
  return new FlatbufferWriter().format(root)
}

/** Writes all offsets forward, as some readers expect: shared targets come last, also the layouts of tables. */
class FlatbufferWriter {
  #bytes = new Uint8Array(8192)
  // Writes numbers faster than a Buffer before V8 has compiled anything.
  #view = new DataView(this.#bytes.buffer)
  #length = 0
  readonly #layouts = new Map<string, number[]>()
  readonly #shared = new Map<FlatTable, number[]>()
  readonly #texts = new Map<string, number[]>()
  readonly #emptyLists: number[] = []

  format(root: FlatTable): Uint8Array {
    const first = this.#reserve(4, 4)
    this.#point(first, this.#writeTable(root))
    for (const [table, places] of this.#shared) this.#pointAll(places, this.#writeTable(table))
    this.#pointAll(this.#emptyLists, this.#reserve(4, 4))
    for (const [text, places] of this.#texts) this.#pointAll(places, this.#writeText(text))
    for (const [layout, tables] of this.#layouts) this.#writeLayout(layout, tables)
    this.#reserve(0, 8)
    return this.#bytes.subarray(0, this.#length)
  }

  #reserve(size: number, alignment: number): number {
    const start = Math.ceil(this.#length / alignment) * alignment
    this.#length = start + size
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(this.#length * 2)
      larger.set(this.#bytes)
      this.#bytes = larger
      this.#view = new DataView(larger.buffer)
    }
    return start
  }

  #point(place: number, target: number): void {
    this.#view.setUint32(place, target - place, true)
  }

  #pointAll(places: readonly number[], target: number): void {
    for (const place of places) this.#point(place, target)
  }

  #writeTable({ fields }: FlatTable): number {
    let size = 4
    const offsets = fields.map((field) => {
      if (field === undefined) return 0
      const bytes = sizes[field.kind]
      const offset = Math.ceil(size / bytes) * bytes
      size = offset + bytes
      return offset
    })
    const table = this.#reserve(size, fields.some((field) => field?.kind === 'long') ? 8 : 4)
    remember(this.#layouts, [4 + 2 * offsets.length, size, ...offsets].join(), table)
    for (const [slot, field] of fields.entries()) {
      if (field !== undefined) this.#writeValue(field, table + (offsets[slot] ?? 0))
    }
    return table
  }

  /** Writes the size of the layout and of a table, and the positions of the fields, for tables with equal layouts. */
  #writeLayout(layout: string, tables: readonly number[]): void {
    const numbers = layout.split(',').map(Number)
    const start = this.#reserve(2 * numbers.length, 2)
    for (const [at, number] of numbers.entries()) this.#view.setUint16(start + 2 * at, number, true)
    for (const table of tables) this.#view.setInt32(table, table - start, true)
  }

  #writeValue(field: FlatValue, place: number): void {
    switch (field.kind) {
      case 'byte':
        this.#view.setUint8(place, field.value)
        return
      case 'short':
        this.#view.setInt16(place, field.value, true)
        return
      case 'int':
        this.#view.setInt32(place, field.value, true)
        return
      case 'long':
        this.#view.setBigInt64(place, BigInt(field.value), true)
        return
      case 'text':
        return remember(this.#texts, field.text, place)
      case 'shared':
        return remember(this.#shared, field.table, place)
      case 'table':
        return this.#point(place, this.#writeTable(field.table))
      case 'list':
        return this.#writeList(field.tables, place)
    }
  }

  #writeList(tables: readonly FlatTable[], place: number): void {
    if (tables.length === 0) {
      this.#emptyLists.push(place)
      return
    }
    const start = this.#reserve(4 + 4 * tables.length, 4)
    this.#point(place, start)
    this.#view.setUint32(start, tables.length, true)
    for (const [at, table] of tables.entries()) this.#point(start + 4 + 4 * at, this.#writeTable(table))
  }

  #writeText(text: string): number {
    const bytes = Buffer.from(text)
    const start = this.#reserve(4 + bytes.length + 1, 4)
    this.#view.setUint32(start, bytes.length, true)
    this.#bytes.set(bytes, start + 4)
    return start
  }
}

function remember<Key>(places: Map<Key, number[]>, key: Key, place: number): void {
  const known = places.get(key)
  if (known === undefined) places.set(key, [place])
  else known.push(place)
}
