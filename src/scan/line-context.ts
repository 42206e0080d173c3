import { compileConversion, type Convert } from '../records/flatten/convert.ts'
import { compileTest, type Match } from '../records/flatten/condition-test.ts'
import type { CellCondition, CellConversion, Projection } from './program/projection.ts'

/** What the walk leaves to be done with the cells of a line. */
export interface FinishSteps {
  /** The conditions on the record. */
  readonly record: readonly CompiledCondition[]
  /** The tables whose rows are filtered, converted or given the hash of the record's content. */
  readonly tables: readonly {
    readonly table: number
    readonly conditions: readonly CompiledCondition[]
    readonly conversions: readonly CompiledConversion[]
    readonly hashCells: readonly number[]
  }[]
  /** Whether the walk writes the text of the record's content. */
  readonly hashesContent: boolean
}

export type CompiledCondition = CellCondition & { readonly matches: Match }
export type CompiledConversion = CellConversion & { readonly convert: Convert }

export function compileFinishSteps({ recordConditions, tables, content }: Projection): FinishSteps {
  return {
    record: recordConditions.map(compileCondition),
    tables: tables.flatMap(({ conditions, conversions, hashCells }, table) =>
      conditions.length + conversions.length + hashCells.length === 0
        ? []
        : [
            {
              table,
              conditions: conditions.map(compileCondition),
              conversions: conversions.map(compileCellConversion),
              hashCells,
            },
          ],
    ),
    hashesContent: content !== null,
  }
}

function compileCondition(condition: CellCondition): CompiledCondition {
  return { ...condition, matches: compileTest(condition.test) }
}

function compileCellConversion(conversion: CellConversion): CompiledConversion {
  const { from, to, unitScale, timezone } = conversion
  return { ...conversion, convert: compileConversion(from, to, unitScale, timezone) }
}
