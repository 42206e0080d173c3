import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { contracts, type Contract, type ContractName } from '../../contracts/contracts.ts'
import { CatalogueError } from '../../errors.ts'
import { createTempFolder } from '../../storage/file-system.ts'
import { agreeOnContract } from './agree-on-contract.ts'
import { chooseFields, type FieldSelection } from './choose-fields.ts'
import { compareSides } from './compare-sides.ts'
import type { DiffReport, LinesSide } from './diff-report.ts'
import type { DifferenceFile } from './difference-file.ts'
import { LineStore } from './line-store.ts'
import { openSide, type ReadOptions } from './read-side.ts'
import type { LineSide } from './recognize-side.ts'
import { compileWithValues, listUsualValues } from './with-values.ts'
import { countOf } from '../../text/format-count.ts'

export interface DiffExportsOptions extends FieldSelection, ReadOptions {
  readonly contract?: ContractName | undefined
  readonly file: DifferenceFile | null
  /** Values of the record that come beside each difference in the file. */
  readonly with?: readonly string[] | undefined
  readonly onWarning: (message: string) => void
}

/**
 * Compares the records of two exports or landings by id. Lines that differ are stored in a temporary folder, not in
 * memory.
 */
export async function diffExports(old: LineSide, next: LineSide, options: DiffExportsOptions): Promise<DiffReport> {
  // Two sides without records are equal under any contract.
  const name = (await agreeOnContract(old, next, options)) ?? 'raw'
  const contract: Contract = contracts[name]
  const fields = chooseFields(contract.fields, options)
  if (name !== 'raw') for (const doubt of fields.doubts) options.onWarning(doubt)
  const withValues = compileWithValues(
    contract,
    options.with ?? (options.file?.isForPeople ? listUsualValues(contract) : []),
  )
  // Amounts are whole numbers, as they were delivered.
  await options.file?.begin({ with: withValues.names, priceScale: 0 })
  const first = await openSide(old, name, options)
  const second = await openSide(next, name, options).catch(async (error: unknown) => {
    await first.close()
    throw error
  })
  const comparing = (store: LineStore) => ({ contract, fields, store, file: options.file, withValues })
  return inFolder(async (folder) => {
    const store = await LineStore.open(join(folder, 'new.ndjson'))
    try {
      const { table, ...read } = await compareSides(first, second, comparing(store))
      for (const side of [read.old, read.new]) checkHasIds(side)
      const equal = table.new + table.removed + table.changed === 0
      return { version: 1, equal, contract: name, ...read, ignored: fields.ignored, tables: [table] }
    } finally {
      store.close()
      await Promise.all([first.close(), second.close()])
    }
  })
}

/** Throws USAGE if no line of a side has an id. Otherwise two CSV tables would count as equal. */
function checkHasIds({ path, lines }: LinesSide): void {
  const { total, blank, withoutId } = lines
  const filled = total - blank
  if (filled === 0 || withoutId < filled) return
  const count = countOf(filled, 'line')
  const message = `${path}: expected records with an id, got none in ${count}`
  throw new CatalogueError('USAGE', message, {
    fix: 'Give the exports or landings themselves, not what a run made from them.',
  })
}

async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await createTempFolder('catalogue-etl-diff-')
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
