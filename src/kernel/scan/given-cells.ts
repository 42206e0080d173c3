import { givenNames, type InterfaceVersion } from '../../contracts/given-values.ts'
import type { GivenOffsets } from '../program/compile-scan.ts'
import type { ProgramOffset } from '../program/program-writer.ts'
import type { ScanMemory } from '../program/scan-memory.ts'
import { cellBytes, nullLength, setCell } from '../program/table-memory.ts'

/** Cells with the values of a source, from which rows copy them. */
export class GivenCells {
  readonly #memory: ScanMemory
  readonly #offsets: GivenOffsets
  readonly #toAddress: (offset: ProgramOffset) => number

  constructor(memory: ScanMemory, offsets: GivenOffsets, toAddress: (offset: ProgramOffset) => number) {
    this.#memory = memory
    this.#offsets = offsets
    this.#toAddress = toAddress
    this.set(undefined)
  }

  set(version: InterfaceVersion | undefined): void {
    const { cells, texts } = this.#offsets
    for (const at of givenNames.keys()) {
      const text = version === undefined ? undefined : texts[version][at]
      const start = text === undefined ? 0 : this.#toAddress(text.at)
      setCell(this.#memory, this.#toAddress(cells) + at * cellBytes, start, text?.bytes ?? nullLength)
    }
  }
}
