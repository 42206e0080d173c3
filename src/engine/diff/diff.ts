import type { ContractName } from '../../contracts/contracts.ts'
import { CatalogueError } from '../../errors.ts'
import type { FieldSelection } from './choose-fields.ts'
import { diffExports } from './diff-exports.ts'
import type { DiffReport } from './diff-report.ts'
import { type DifferenceFile, openDifferenceFile, toFileFormat } from './difference-file.ts'
import type { LineSide, ReadOptions } from './read-side.ts'
import { describeKind, recognizeSide, type RecognizedSide } from './recognize-side.ts'

export interface DiffOptions extends FieldSelection, ReadOptions {
  /** Says what the records of exports are; by default they are recognized. */
  readonly contract?: ContractName | undefined
  /** A CSV or Parquet file for every difference. */
  readonly to?: string | undefined
  readonly onWarning: (message: string) => void
}

/**
 * Compares two exports, landings or published runs. Only reads, but for the file of `to`, which appears when it is whole.
 * Throws USAGE for two that can't be compared, and what reading them throws.
 */
export async function diff(oldPath: string, newPath: string, options: DiffOptions): Promise<DiffReport> {
  const { to, contract } = options
  if (to !== undefined) toFileFormat(to)
  const [old, next] = [await recognizeSide(oldPath, contract), await recognizeSide(newPath, contract)]
  if (to === undefined) return compare(old, next, null, options)
  const file = await openDifferenceFile(to, [...listFiles(old), ...listFiles(next)])
  try {
    const report = await compare(old, next, file, options)
    await file.finish()
    return { ...report, to: { path: to, rows: file.rows } }
  } catch (error) {
    await file.discard()
    throw error
  }
}

function compare(
  old: RecognizedSide,
  next: RecognizedSide,
  file: DifferenceFile | null,
  options: DiffOptions,
): Promise<DiffReport> {
  if (isOfLines(old) && isOfLines(next)) return diffExports(old, next, { ...options, file })
  const message = `${next.path}: expected ${describeKind(old.kind)} as ${old.path} is, got ${describeKind(next.kind)}`
  throw new CatalogueError('USAGE', message)
}

function isOfLines(side: RecognizedSide): side is LineSide {
  return side.kind !== 'run'
}

function listFiles(side: RecognizedSide): readonly string[] {
  return side.kind === 'run' ? [side.manifest] : side.files
}
