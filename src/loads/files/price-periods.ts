import type { PricedHistory } from '../../plan/loads/stateful-plan.ts'
import { type RowSet, toRowQueries } from './row-queries.ts'
import { quoteText } from './sql-text.ts'

/**
 * Selects the periods of prices from the rows of a history, as `c0`, `c1`, … in the order of the table's columns. Versions that follow
 * one another with the same price are one period. What is not more than zero is no price, and ends the one before.
 */
export function selectPricePeriods(history: RowSet, { idColumn, priceColumn, unit }: PricedHistory): string {
  const { kept, placed } = toRowQueries(history)
  const cell = (name: string) => `c${history.columns.findIndex((column) => column.name === name)}`
  const cells = [
    `${cell(idColumn)} AS id`,
    `if(${cell(priceColumn)} > 0, ${cell(priceColumn)}, NULL) AS amount`,
    `${cell('valid_from')} AS valid_from, ${cell('valid_to')} AS valid_to`,
  ].join(', ')
  const versions = [kept, placed].flatMap((query) => (query === null ? [] : `SELECT ${cells} FROM (${query})`))
  return `WITH versions AS (${versions.join(' UNION ALL ')}),
    followed AS (SELECT *, lag(amount) OVER version IS DISTINCT FROM amount OR lag(valid_to) OVER version IS DISTINCT FROM valid_from AS begins
      FROM versions WINDOW version AS (PARTITION BY id ORDER BY valid_from)),
    numbered AS (SELECT *, count(*) FILTER (begins) OVER (PARTITION BY id ORDER BY valid_from ROWS UNBOUNDED PRECEDING) AS period
      FROM followed WHERE amount IS NOT NULL),
    periods AS (SELECT id, amount, min(valid_from) AS valid_from, if(count(*) = count(valid_to), max(valid_to), NULL) AS valid_to
      FROM numbered GROUP BY id, period, amount),
    placed AS (SELECT *, row_number() OVER period AS position, lag(amount) OVER period AS previous
      FROM periods WINDOW period AS (PARTITION BY id ORDER BY valid_from))
    SELECT id AS c0, position AS c1, valid_from AS c2, valid_to AS c3, amount AS c4, ${unit === null ? 'NULL::VARCHAR' : quoteText(unit)} AS c5,
      previous AS c6, ${percent} AS c7
    FROM placed ORDER BY id, position`
}

/** Whole hundredths of a percent, rounded half away from zero, so that no float decides the last digit. */
const percent = `(sign(amount - previous) * ((abs(amount::HUGEINT - previous) * 20000 + previous) // (previous::HUGEINT * 2)))::DOUBLE / 100`
