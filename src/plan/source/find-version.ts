import type { ContractName } from '../../contracts/contracts.ts'
import { type InterfaceVersion, versionOf, withVersion } from '../../contracts/given-values.ts'
import { recognizeContract } from '../../contracts/recognize-contract.ts'
import { CatalogueError } from '../../errors.ts'
import { readFirstRecords } from '../../sources/first-records.ts'
import type { Source } from '../../sources/source.ts'
import type { FileSourcePlan } from './source-plan.ts'

/**
 * Adds to each source the interface version of its records. A landed file states it; otherwise the config does,
 * otherwise the first records show it. Throws CONFIG_INVALID if their fields fit neither version or both.
 */
export async function withVersions(
  sources: readonly Source[],
  name: string,
  source: Pick<FileSourcePlan, 'interfaceVersion'>,
): Promise<Source[]> {
  const versioned: Source[] = []
  for (const each of sources) versioned.push(await openWithVersion(each, name, source))
  return versioned
}

async function openWithVersion(
  source: Source,
  name: string,
  { interfaceVersion: written }: Pick<FileSourcePlan, 'interfaceVersion'>,
): Promise<Source> {
  const landed = source.landed === undefined ? null : versionOf(source.landed.endpoint)
  if (landed !== null && written !== undefined && landed !== written) throw landedOtherwise(name, source, written)
  const interfaceVersion = landed ?? written ?? (await findVersion(source, name))
  return withVersion(source, interfaceVersion)
}

const versions: readonly ContractName[] = ['v3/product', 'v4/product']

/** Rare fields show up within 500 records. 20 are nearly always enough; 500 take a tenth of a second. */
const [mostRecords, usuallyEnough] = [500, 20]

async function findVersion(source: Source, pipeline: string): Promise<InterfaceVersion | null> {
  if (!source.canBeReadAgain) throw notFound(pipeline, source, 'a source that can be read only once')
  const { signal } = new AbortController()
  const { records: found } = await readFirstRecords(source, { signal, most: mostRecords, mostBytes: 1 })
  const records = found.map(({ record }) => record)
  if (records.length === 0) return null
  const few = recognizeContract(records.slice(0, usuallyEnough), versions).candidates
  const candidates = few.length === 1 ? few : recognizeContract(records, versions).candidates
  const [only, ...others] = candidates
  if (only !== undefined && others.length === 0) return versionOf(only)
  const got = only === undefined ? 'those of neither' : 'only those that both have'
  const looked = records.length === 1 ? 'its record' : `its first ${records.length} records`
  throw notFound(pipeline, source, `${got} in ${looked}`)
}

function notFound(pipeline: string, { name }: Source, got: string): CatalogueError {
  const message = `${pipeline}: ${name}: expected fields of products of one version of the interface, v3 or v4, got ${got}`
  return new CatalogueError('CONFIG_INVALID', message, {
    title: 'The interface version of a file is not known',
    fix: 'Say it with `source.interface: v4` (or `v3`); files of both versions that leave it open need a config for each version.',
  })
}

function landedOtherwise(pipeline: string, { name, landed }: Source, written: InterfaceVersion): CatalogueError {
  const message = `${pipeline}: ${name}: expected products of ${written}, as source.interface says, got those of ${landed?.endpoint}`
  return new CatalogueError('CONFIG_INVALID', message, {
    fix: 'Leave out `source.interface`: landed files say which version they are of.',
  })
}
