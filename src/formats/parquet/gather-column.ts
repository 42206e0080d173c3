import type { Column } from '../../records/flatten/column.ts'
import type { PageMemory } from './page-memory.ts'
import type { ValueEncoding } from './value-encoding.ts'

export interface ColumnSlice {
  /** The addresses of the buffers, in their order; 0 for a validity without bytes. */
  readonly buffers: readonly number[]
  readonly from: number
  readonly to: number
}

export interface GatheredColumn {
  readonly rows: number
  readonly levels: number
  /** Repetition levels, a byte for each slot; of lists only. */
  readonly repetitions: number
  readonly slots: number
  readonly values: number
  readonly end: number
}

export type GatherColumn = (slices: readonly ColumnSlice[], rows: number) => GatheredColumn

export function createColumnGatherer(memory: PageMemory, { list }: Pick<Column, 'list'>, values: ValueEncoding) {
  return list ? createListGatherer(memory, values) : createScalarGatherer(memory, values)
}

function createScalarGatherer(memory: PageMemory, values: ValueEncoding): GatherColumn {
  const { kernels } = memory
  return (slices, rows) => {
    const levels = memory.take(rows)
    const start = memory.take(rows * values.width)
    let slots = 0
    let end = start
    for (const { buffers, from, to } of slices) {
      kernels.writeScalarLevels(buffers[0] as number, from, to, levels + slots)
      slots += to - from
      end = values.gather(toValueBuffers(buffers), from, to, end)
    }
    return { rows, levels, repetitions: 0, slots, values: start, end }
  }
}

function createListGatherer(memory: PageMemory, values: ValueEncoding): GatherColumn {
  const { kernels } = memory
  return (slices, rows) => {
    const lists = slices.map(({ buffers: [validity = 0, offsets = 0, ...elements], from, to }) => {
      const [first, last] = [memory.wordAt(offsets + from * 4), memory.wordAt(offsets + to * 4)]
      return { validity, offsets, from, to, elements: toValueBuffers(elements), first, last }
    })
    const most = lists.reduce((count, { first, last }) => count + last - first, 0)
    const levels = memory.take(rows + most)
    const repetitions = memory.take(rows + most)
    const start = memory.take(most * values.width)
    let slots = 0
    let end = start
    for (const { validity, offsets, from, to, elements, first, last } of lists) {
      const [at, repetitionsAt] = [levels + slots, repetitions + slots]
      slots += kernels.writeListLevels(validity, offsets, elements.validity, from, to, at, repetitionsAt)
      end = values.gather(elements, first, last, end)
    }
    return { rows, levels, repetitions, slots, values: start, end }
  }
}

function toValueBuffers(buffers: readonly number[]) {
  return { validity: buffers[0] as number, offsets: buffers[1] as number, values: buffers.at(-1) as number }
}
