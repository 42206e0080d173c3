import { type ColumnType, parseColumnType, typeOf } from '../../types/column-types.ts'
import {
  listHistogramBounds,
  percents,
  type SpreadFacts,
  type SpreadProfile,
  toSpreadProfile,
} from '../../kernel/profile/describe-spread.ts'
import { tooLong } from '../../kernel/profile/spread.ts'
import { mostDistinct } from '../../kernel/profile/state-layout.ts'
import type { Duckdb } from '../../loads/files/open-duckdb.ts'
import { quoteName } from '../../loads/files/sql-text.ts'
import type { ReadableColumn } from './readable-table.ts'

/**
 * Mean, quantiles and histogram of a column of numbers or times, exact; nothing for other columns, and without a value.
 * Floats that are no numbers, in files of other programs, are left out.
 */
export async function measureColumn(duckdb: Duckdb, from: string, column: ReadableColumn): Promise<SpreadProfile> {
  const type = parseColumnType(column.type)?.type
  const measure = type === undefined ? null : typeOf(type).measure
  if (type === undefined || measure === null) return {}
  const values = `(SELECT value, ${formatMeasured(type)} AS measured FROM ${formatValues(from, column)})`
  const [row = []] = await duckdb.readAll(formatFactsQuery(values, type))
  const [distinct, count, sum, min, max, ...quantiles] = row as (string | number | null)[]
  if (min === null || min === undefined) return {}
  const texts = quantiles.map(String)
  const ends = { min: String(min), max: String(max) }
  const facts: SpreadFacts = {
    ...ends,
    count: Number(count),
    sum: BigInt(String(sum)),
    quantiles: texts,
    isExact: true,
  }
  const bounds = listHistogramBounds(measure, { ...facts, isExact: Number(distinct) <= mostDistinct })
  const [counts = []] = await duckdb.readAll(formatCountsQuery(values, bounds))
  return toSpreadProfile(type, measure, facts, bounds, counts.map(Number))
}

function formatValues(from: string, { name, kind, list }: ReadableColumn): string {
  const cell = quoteName(name)
  const values = `(SELECT ${list ? `unnest(${cell})` : cell} AS value FROM ${from})`
  return `${values} WHERE value IS NOT NULL${kind === 'float' ? ' AND isfinite(value)' : ''}`
}

/** The whole number that `Measure.toMeasured` has of a value. */
function formatMeasured({ kind }: ColumnType): string {
  return `CAST(${formatUnits(kind)} AS HUGEINT)`
}

function formatUnits(kind: ColumnType['kind']): string {
  switch (kind) {
    case 'decimal':
      return `replace(CAST(value AS VARCHAR), '.', '')`
    case 'float':
      return `trunc(least(greatest(value * 1e6, -1e19), 1e19) + CASE WHEN value < 0 THEN -0.5 ELSE 0.5 END)`
    case 'timestamp':
      return 'epoch_ms(value)'
    case 'date':
      return `value - DATE '1970-01-01'`
    default:
      return 'value'
  }
}

/** Distinct values, all values, their sum, the least, the greatest, and the quantiles. */
function formatFactsQuery(values: string, { kind }: ColumnType): string {
  const summed = `least(greatest(measured, -${tooLong}), ${tooLong}) * times`
  const quantiles = percents.map(
    (percent) => `min_by(text, value) FILTER (WHERE upto >= ceil(total * ${percent} / 100))`,
  )
  return `WITH counted AS (SELECT value, any_value(measured) AS measured, count(*) AS times FROM ${values} GROUP BY value),
    ranked AS (
      SELECT *, CAST(${kind === 'float' ? 'value' : 'measured'} AS VARCHAR) AS text,
        sum(times) OVER (ORDER BY value) AS upto, sum(times) OVER () AS total FROM counted
    )
    SELECT count(*), CAST(sum(times) AS BIGINT), CAST(sum(${summed}) AS VARCHAR), min_by(text, value), max_by(text, value),
      ${quantiles.join(', ')} FROM ranked`
}

function formatCountsQuery(values: string, bounds: readonly bigint[]): string {
  const last = bounds.length - 2
  const counts = bounds.slice(0, -1).map((bound, at) => {
    const below = at === last ? '' : ` AND measured < ${bounds[at + 1]}`
    return `count(*) FILTER (WHERE measured >= ${bound}${below})`
  })
  return `SELECT ${counts.join(', ')} FROM ${values}`
}
