import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Row } from '../../records/flatten/column.ts'
import type { BuiltinPlan } from '../../records/flatten/table-plan.ts'
import type { Computation, FeedRow } from './computation.ts'
import { openComputation } from './computations.ts'

/** The feed of a built-in table. It is compressed in memory until the end, where it is read again. */
export class Feed {
  readonly #computation: Computation
  readonly #blocks: Buffer[] = []

  constructor(plan: BuiltinPlan) {
    this.#computation = openComputation(plan)
  }

  /** Takes the rows of a block, as NDJSON, which may be overwritten afterwards. */
  add(piece: Uint8Array): void {
    if (piece.length === 0) return
    for (const row of parseRows(piece)) this.#computation.add(row)
    this.#blocks.push(deflateRawSync(piece, { level: 1 }))
  }

  compute(): Iterable<Row> {
    return this.#computation.compute(() => this.#read())
  }

  *#read(): Generator<FeedRow> {
    for (const block of this.#blocks) yield* parseRows(inflateRawSync(block))
  }
}

/** One call for all lines, which is faster than one for each. */
function parseRows({ buffer, byteOffset, byteLength }: Uint8Array): FeedRow[] {
  const text = Buffer.from(buffer, byteOffset, byteLength).toString()
  return JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as FeedRow[]
}
