import { CatalogueError } from '../../errors.ts'
import type { DeltaTable } from './delta-table.ts'
import type { CheckingPlan } from '../lake-format.ts'
import { feedProperty, pipelineProperty } from '../lake-plan.ts'
import { listBoundFields } from './table-schema.ts'

/**
 * Throws TARGET_MISMATCH for a table that our loads must not write to, or that they can't: one of somebody else, or with
 * features that this version does not know.
 */
export function checkTable(
  folder: string,
  { replayed: { protocol, metaData } }: DeltaTable,
  { pipeline, target }: CheckingPlan,
): void {
  const configuration = metaData.configuration ?? {}
  const { minReaderVersion, minWriterVersion, readerFeatures, writerFeatures } = protocol
  const features = new Set([...(readerFeatures ?? []), ...(writerFeatures ?? [])])
  if ([...features].some((name) => catalogFeatures.has(name)))
    throw refuse(folder, 'one whose commits a catalog manages, which files alone do not show', useAnother)
  const owner = configuration[pipelineProperty]
  if (owner === undefined || owner === null)
    throw refuse(folder, 'one that catalogue-etl has not made', useAnother, `a table of pipeline "${pipeline}"`)
  if (owner !== pipeline)
    throw refuse(folder, `one of pipeline "${owner}"`, useAnother, `a table of pipeline "${pipeline}"`)
  const unknown = [...features].filter((name) => !knownFeatures.has(name))
  if (unknown.length > 0 || minReaderVersion > 3 || minWriterVersion > 7) {
    const named = unknown.map((name) => `"${name}"`).join(', ')
    const got = unknown.length > 0 ? `features ${named}` : `protocol ${minReaderVersion}, ${minWriterVersion}`
    throw refuse(folder, `one with ${got}, which this version of catalogue-etl does not know`, dropFeatures)
  }
  const isOurs = target?.changeFeed === true || configuration[feedProperty] === 'true'
  const active = listActive(configuration).filter((name) => name !== changeFeedProperty || !isOurs)
  if (active.length > 0)
    throw refuse(
      folder,
      `one with ${active.map((name) => `\`${name}\``).join(', ')}, which loads do not keep to`,
      `${active.includes(changeFeedProperty) ? 'Let the output have `changeFeed: true` for a change feed. ' : ''}${unset(active)}`,
    )
  const [bound] = listBoundFields(metaData.schemaString)
  if (bound !== undefined)
    throw refuse(folder, `one whose column "${bound.name}" has \`${bound.by}\`, which loads do not keep to`, freeColumn)
  if ((metaData.partitionColumns ?? []).length > 0)
    throw refuse(folder, `one that is partitioned by ${(metaData.partitionColumns ?? []).join(', ')}`, useAnother)
}

function refuse(
  folder: string,
  got: string,
  fix: string,
  expected = 'a table that loads may write to',
): CatalogueError {
  return new CatalogueError('TARGET_MISMATCH', `${folder}: expected ${expected}, got ${got}`, { fix })
}

/** Properties that bind writers, if they are set. */
function listActive(configuration: Readonly<Record<string, string | null>>): readonly string[] {
  const isOn = (name: string) => configuration[name]?.toLowerCase() === 'true'
  const mapping = configuration['delta.columnMapping.mode'] ?? 'none'
  return [
    ...bindingProperties.filter(isOn),
    ...(mapping.toLowerCase() === 'none' ? [] : ['delta.columnMapping.mode']),
    ...Object.keys(configuration).filter((name) => name.startsWith('delta.constraints.')),
  ]
}

/** Whether a table has a change feed. */
export const changeFeedProperty = 'delta.enableChangeDataFeed'

const bindingProperties = [
  // After a killed run, a load of mode append removes the files that it has left.
  'delta.appendOnly',
  changeFeedProperty,
  'delta.enableRowTracking',
  'delta.enableInCommitTimestamps',
]

/** Features that ask nothing of our loads unless a property, a column or a file makes them active. */
const knownFeatures: ReadonlySet<string> = new Set([
  'appendOnly',
  'invariants',
  'checkConstraints',
  'changeDataFeed',
  'generatedColumns',
  'allowColumnDefaults',
  'columnMapping',
  'identityColumns',
  'deletionVectors',
  'domainMetadata',
  'timestampNtz',
])
const catalogFeatures: ReadonlySet<string> = new Set(['catalogManaged', 'catalogOwned', 'catalogOwned-preview'])

const useAnother = 'Name another path, or move what is there away, if nobody needs it.'
const dropFeatures =
  'Drop the features (`ALTER TABLE … DROP FEATURE`), or name another path: the next run fills a new table.'
const freeColumn =
  'Drop the constraint (`ALTER TABLE … ALTER COLUMN … DROP NOT NULL` for instance), or name another path: the next run fills a new table.'

function unset(properties: readonly string[]): string {
  const names = properties.map((name) => `'${name}'`).join(', ')
  return `Unset them (\`ALTER TABLE … UNSET TBLPROPERTIES (${names})\`), or name another path: the next run fills a new table.`
}
