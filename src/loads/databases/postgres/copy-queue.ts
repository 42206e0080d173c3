import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from } from 'pg-copy-streams'
import { releaseChunks, ChunkBuffer } from '../../../records/memory/chunk-buffer.ts'

/** Bytes of one table that are copied at once: with less, a distant server would cost a wait for each piece. */
const bytesACopy = 4 * 1024 * 1024
/** The most bytes that wait, of all tables together. */
const waitingBytes = 32 * 1024 * 1024

/**
 * Copies pieces into several tables over one connection, which copies into one at a time: pieces wait by table until
 * there is enough of one, or too much of all.
 */
export class CopyQueue {
  readonly #client: pg.Client
  readonly #statements: readonly string[]
  readonly #waiting: { readonly pieces: ChunkBuffer; bytes: number }[]
  readonly #rows: number[]
  #waitingBytes = 0
  #copying: Promise<void> = Promise.resolve()
  #failure: { readonly thrown: unknown } | undefined

  constructor(client: pg.Client, statements: readonly string[]) {
    this.#client = client
    this.#statements = statements
    this.#waiting = statements.map(() => ({ pieces: new ChunkBuffer(), bytes: 0 }))
    this.#rows = statements.map(() => 0)
  }

  get rows(): readonly number[] {
    return this.#rows
  }

  /** Copies the piece. Resolves when there is room for more; rejects with the first failure. */
  async write(table: number, piece: Uint8Array): Promise<void> {
    this.#throwFailure()
    const waiting = this.#waiting[table]
    if (waiting === undefined) throw new TypeError(`expected one of ${this.#waiting.length} tables, got ${table}`)
    if (piece.length === 0) return
    waiting.pieces.add(piece)
    waiting.bytes += piece.length
    this.#waitingBytes += piece.length
    if (waiting.bytes >= bytesACopy) await this.#copy(table)
    else if (this.#waitingBytes >= waitingBytes) await this.#copy(this.#findLargest())
  }

  async flush(): Promise<void> {
    for (const table of this.#waiting.keys()) await this.#copy(table)
    await this.#copying
    this.#throwFailure()
  }

  async #copy(table: number): Promise<void> {
    await this.#copying
    this.#throwFailure()
    const waiting = this.#waiting[table]
    if (waiting === undefined || waiting.bytes === 0) return
    this.#waitingBytes -= waiting.bytes
    waiting.bytes = 0
    this.#copying = this.#send(table, waiting.pieces.cut()).catch((thrown: unknown) => {
      this.#failure ??= { thrown }
    })
  }

  async #send(table: number, pieces: readonly Uint8Array[]): Promise<void> {
    const copy = this.#client.query(from(this.#statements[table] ?? ''))
    await pipeline(Readable.from(pieces, { objectMode: true }), copy)
    this.#rows[table] = (this.#rows[table] ?? 0) + copy.rowCount
    // The server has them all.
    releaseChunks(pieces)
  }

  #findLargest(): number {
    return this.#waiting.reduce(
      (largest, { bytes }, table) => (bytes > (this.#waiting[largest]?.bytes ?? 0) ? table : largest),
      0,
    )
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.thrown
  }
}
