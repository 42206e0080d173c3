/**
 * What wasm/parquet/ exports: see there. All arguments are addresses in the memory, but for `count`, `bits`, `width`,
 * `level` and `rows`; `from` and `to` before a `target` are indexes of rows or elements.
 */
export interface PageKernels {
  writeScalarLevels(validity: number, from: number, to: number, levels: number): void
  writeListLevels(
    validity: number,
    offsets: number,
    elementValidity: number,
    from: number,
    to: number,
    levels: number,
    repetitions: number,
  ): number
  countLevel(start: number, end: number, level: number): number
  skipRows(repetitions: number, slot: number, rows: number, end: number): number
  gatherTexts(validity: number, offsets: number, bytes: number, from: number, to: number, target: number): number
  gatherBooleans: Gather
  gather4: Gather
  gather8: Gather
  gather16As4: Gather
  gather16As8: Gather
  gather16AsBytes(validity: number, values: number, from: number, to: number, target: number, width: number): number
  indexTexts(texts: number, end: number, table: number, starts: number, indexes: number, dictionary: number): number
  index4: IndexNumbers
  index8: IndexNumbers
  boundTexts: Bound
  boundBooleans: Bound
  boundInt32: Bound
  boundInt64: Bound
  boundFloat64: Bound
  boundBytes(values: number, end: number, to: number, width: number): void
  packBytes: Pack
  packWords: Pack
  writePlainTexts: Write
  writePlainBooleans: Write
  readonly measurePlainTexts: (texts: number, end: number) => number
}

type Gather = (validity: number, values: number, from: number, to: number, target: number) => number
type IndexNumbers = (values: number, end: number, table: number, indexes: number, dictionary: number) => number
type Bound = (values: number, end: number, to: number) => void
type Pack = (from: number, count: number, bits: number, to: number) => number
type Write = (values: number, end: number, to: number) => number
