import { readToolVersion } from '../../../package-file.ts'
import { facetSchemas } from './facet-schemas.ts'
import type { DatasetName } from './name-datasets.ts'

const { name: tool, version } = readToolVersion()

export const producer = `https://www.npmjs.com/package/${tool}/v/${version}`

/** Parts of an event, each by a schema of its own. */
export type Facets = Readonly<Record<string, object>>

export interface Dataset extends DatasetName {
  readonly facets: Facets
  readonly inputFacets?: Facets
  readonly outputFacets?: Facets
}

export function facet(name: keyof typeof facetSchemas, content: object): Facets {
  return { [name]: { _producer: producer, _schemaURL: facetSchemas[name], ...content } }
}

/** A dataset with the place that it is in. */
export function toDataset({ namespace, name }: DatasetName): Dataset {
  const uri = namespace.includes('://') ? namespace : `${namespace}:///`
  return { namespace, name, facets: facet('dataSource', { name: namespace, uri }) }
}
