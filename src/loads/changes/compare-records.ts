import type { TableMode } from '../../plan/outputs/file-plan.ts'
import { hashDigits } from '../../records/flatten/content-hash.ts'
import type { Load } from '../merge-result.ts'
import { quoteName, quoteText, type SqlForms, standardForms } from '../files/sql-text.ts'
import type { ChangeCounts } from '../../manifest/manifest.ts'

/*
 * The rule of what a load means for each record, in SQL that DuckDB, PostgreSQL and MariaDB read: merges of files and loads of
 * databases compare with it. In MariaDB "change" is a reserved word.
 */

export type Change = keyof ChangeCounts

/** The tables to compare, as SQL that may follow FROM. */
export interface ComparedRecords extends Pick<Load, 'kind' | 'startedAt'> {
  /** See record-table.ts for the columns `id`, `content_hash` and `updated_at`. */
  readonly loaded: string
  /** Has `valid_from` and `removed_at`, too. */
  readonly state: string
  /** Further columns of the result: of the load, or of the state for a removed record. */
  readonly carried: readonly string[]
  /** Default: those of DuckDB and PostgreSQL. */
  readonly forms?: SqlForms
}

/**
 * Selects for each record of a load, and for each that a full load lacks: `id`; `change`; `valid_from`, when the record
 * got its present content; `removed_at`; then the carried columns.
 *
 * A version begins when its record was updated. If that is unknown, or not later than the version before, it begins
 * with the run, but at least one millisecond after the version before.
 */
export function formatComparison(records: ComparedRecords): string {
  const { loaded, state, kind, startedAt, carried, forms = standardForms } = records
  const start = forms.formatDateTime(startedAt)
  const startAfter = (before: string) => `GREATEST(${start}, ${before} + ${forms.oneMillisecond})`
  const list = (prefix: string) => carried.map((name) => `, ${prefix}${name}`).join('')
  // DuckDB holds the right side of a join in memory: the load, which may be small.
  // In MariaDB the greatest of a time and null is null.
  const former = 'COALESCE(GREATEST(s.valid_from, s.removed_at), s.valid_from)'
  const compared = `SELECT l.id, l.updated_at AS loaded_at, s.valid_from, ${former} AS former_at,
      CASE WHEN s.id IS NULL OR s.removed_at IS NOT NULL THEN 'new'
        WHEN ${formatHash('s')} <> ${formatHash('l')} THEN 'changed'
        WHEN ${forms.formatDistinct('s.updated_at', 'l.updated_at')} THEN 'touched'
        ELSE 'unchanged' END AS "change"${list('l.')}
    FROM ${state} AS s RIGHT JOIN ${loaded} AS l ON s.id = l.id
    WHERE l.content_hash <> ''`
  // A full load lacks them; a delta has them without a content hash. With EXISTS, DuckDB would hold the state in memory for that.
  const isGone =
    kind === 'full'
      ? `NOT EXISTS (SELECT 1 FROM ${loaded} AS l WHERE l.id = s.id)`
      : `s.id IN (SELECT l.id FROM ${loaded} AS l WHERE l.content_hash IS NULL)`
  return `SELECT id, "change",
      CASE WHEN "change" IN ('touched', 'unchanged') THEN valid_from
        WHEN former_at IS NULL THEN COALESCE(loaded_at, ${start})
        WHEN loaded_at > former_at THEN loaded_at
        ELSE ${startAfter('former_at')} END AS valid_from,
      ${forms.noTime} AS removed_at${list('')}
    FROM (${compared}) AS compared
    UNION ALL
    SELECT s.id, 'removed', s.valid_from, ${startAfter('s.valid_from')}${list('s.')}
    FROM ${state} AS s WHERE s.removed_at IS NULL AND ${isGone}`
}

/** The content hash of a record, cut to today's length: an earlier version may have written a longer one. */
export function formatHash(records: string): string {
  return `left(${records}.content_hash, ${hashDigits})`
}

/** The changes whose records' rows are written; `rewritesAll` adds unchanged records. */
export function listPlacedChanges(mode: Exclude<TableMode, 'snapshot'> | 'records', rewritesAll: boolean): Change[] {
  if (mode === 'append') return ['new', 'changed']
  return ['new', 'changed', 'touched', ...(rewritesAll ? (['unchanged'] as const) : [])]
}

/** `('new', 'changed')` */
export function formatChanges(changes: readonly Change[]): string {
  return `(${changes.map(quoteText).join(', ')})`
}

export interface FormerValues {
  /** The history and the result of the comparison, as SQL that may follow FROM. */
  readonly history: string
  readonly changes: string
  readonly idColumn: string
  /** The columns that identify a row of a version: the record's id and the positions. */
  readonly keys: readonly string[]
  /** Columns that the table no longer has. */
  readonly columns: readonly string[]
  readonly placed: readonly Change[]
}

/**
 * Selects the keys and the former columns of current versions whose rows are written anew without these columns. A row
 * that is there twice is left out, as nothing identifies it.
 */
export function formatFormerValues({ history, changes, idColumn, keys, columns, placed }: FormerValues): string {
  const quoted = [...keys, ...columns].map(quoteName)
  const isFilled = columns.map((name) => `f.${quoteName(name)} IS NOT NULL`).join(' OR ')
  const stays = placed.filter((change) => change === 'touched' || change === 'unchanged')
  return `SELECT ${quoted.map((name) => `f.${name}`).join(', ')} FROM (
      SELECT ${quoted.map((name) => `t.${name}`).join(', ')},
        count(*) OVER (PARTITION BY ${keys.map((name) => `t.${quoteName(name)}`).join(', ')}) AS copies
      FROM ${history} AS t JOIN ${changes} AS c ON c.id = t.${quoteName(idColumn)}
      WHERE t.is_current AND c.change IN ${formatChanges(stays)}
    ) AS f WHERE f.copies = 1 AND (${isFilled})`
}

export function toChangeCounts(groups: readonly (readonly [change: unknown, count: unknown])[]): ChangeCounts {
  const counts = new Map(groups.map(([change, count]) => [change, Number(count)]))
  const count = (change: Change) => counts.get(change) ?? 0
  return {
    new: count('new'),
    changed: count('changed'),
    touched: count('touched'),
    unchanged: count('unchanged'),
    removed: count('removed'),
  }
}
