import { CatalogueError } from '../../errors.ts'
import { type LakeOutputPlan, pipelineProperty } from '../lake-plan.ts'
import type { IcebergTable } from './iceberg-table.ts'
import { fromLocation } from './locations.ts'
import { isPositional } from './position-deletes.ts'
import { currentSchema } from './table-metadata.ts'

/**
 * Throws TARGET_MISMATCH for a table of somebody else, or one that asks of writers what loads don't do. A catalog may write metadata as
 * it likes.
 */
export function checkTable(
  folder: string,
  { metadata, deletes }: IcebergTable,
  { pipeline }: Pick<LakeOutputPlan, 'pipeline'>,
  isInCatalog = false,
): void {
  const { properties } = metadata
  const refuse = (got: string, fix: string, expected = 'a table that loads may write to') => {
    return new CatalogueError('TARGET_MISMATCH', `${folder}: expected ${expected}, got ${got}`, { fix })
  }
  const owner = properties[pipelineProperty]
  const own = `a table of pipeline "${pipeline}"`
  if (owner === undefined) throw refuse('one that catalogue-etl has not made', useAnother, own)
  if (owner !== pipeline) throw refuse(`one of pipeline "${owner}"`, useAnother, own)
  // The table itself may have been moved.
  fromLocation(folder, `${metadata.location}/metadata`)
  const version = metadata['format-version']
  if (version !== 2)
    throw refuse(`one of format version ${version}, which this version of catalogue-etl does not write`, useAnother)
  if (metadata['partition-specs'].some(({ fields }) => fields.length > 0))
    throw refuse('one that is partitioned', useAnother)
  const bound = currentSchema(metadata).fields.find(({ required }) => required)
  if (bound !== undefined)
    throw refuse(`one whose column "${bound.name}" is required, which loads do not keep to`, freeColumn)
  const codec = properties['write.metadata.compression-codec'] ?? 'none'
  if (codec !== 'none' && !isInCatalog)
    throw refuse(
      `one with \`write.metadata.compression-codec\` = ${codec}, whose versions other writers don't see`,
      unset,
    )
  if (deletes.some(({ live }) => !live.every(isPositional)))
    throw refuse('one with equality deletes, which this version of catalogue-etl does not read', rewrite)
}

const useAnother = 'Name another path or namespace, or move what is there away, if nobody needs it.'
const freeColumn =
  'Make it optional (`ALTER TABLE … ALTER COLUMN … DROP NOT NULL`), or name another path or namespace: the next run fills a new table.'
const unset =
  "Unset it (`ALTER TABLE … UNSET TBLPROPERTIES ('write.metadata.compression-codec')`), or name another path: the next run fills a new table."
const rewrite =
  'Rewrite the data files (`CALL … rewrite_data_files`, with `delete-file-threshold` 1), or let engines delete by position.'
