import type { Contract } from '../../../src/contracts/contracts.ts'
import {
  createRecordWriter,
  type GenerateRecordOptions,
  type JsonObject,
} from '../../../src/sandbox/data/record-writer.ts'

/** Generates records of a contract, parsed. */
export function createRecordGenerator(
  contract: Contract,
  options: GenerateRecordOptions,
): (index: number) => JsonObject {
  const write = createRecordWriter(contract, options)
  return (index) => JSON.parse(write(index)) as JsonObject
}
