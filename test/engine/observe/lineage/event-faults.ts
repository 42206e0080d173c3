import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { z } from 'zod'

type Json = Readonly<Record<string, unknown>>

const folder = new URL('../../../../build/openlineage/', import.meta.url)
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
const formats = { 'date-time': z.iso.datetime({ offset: true }), uuid: z.uuid(), uri: z.url() }
for (const [name, schema] of Object.entries(formats))
  ajv.addFormat(name, (text: string) => schema.safeParse(text).success)
for (const name of readdirSync(folder))
  if (name.endsWith('.json')) ajv.addSchema(JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as object)

export interface SentDataset {
  readonly namespace: string
  readonly name: string
  readonly facets: {
    readonly schema?: { readonly fields: readonly { readonly name: string; readonly type: string }[] }
    readonly columnLineage?: {
      readonly fields: Readonly<Record<string, { readonly inputFields: readonly object[] }>>
      readonly dataset?: readonly object[]
    }
  }
  readonly inputFacets?: {
    readonly inputStatistics: object
    readonly dataQualityAssertions: { readonly assertions: readonly SentAssertion[] }
  }
  readonly outputFacets?: { readonly outputStatistics: object }
}

export interface SentAssertion {
  readonly name: string
  readonly success: boolean
  readonly severity: string
  readonly expected: string
  readonly actual: string
  readonly column?: string
}

/** An event as a collector gets it, with the members that tests look at. */
export interface SentEvent {
  readonly eventType: string
  readonly run: { readonly runId: string; readonly facets: { readonly errorMessage?: { readonly message: string } } }
  readonly job: { readonly namespace: string; readonly name: string }
  readonly inputs: readonly SentDataset[]
  readonly outputs: readonly SentDataset[]
}

/** What the published schemas of OpenLineage find wrong with an event and each of its facets, which name their own. */
export function listFaults(event: Json): string[] {
  const faults = [...validate(event['schemaURL'] as string, event)]
  for (const facet of listFacets(event)) faults.push(...validate(facet['_schemaURL'] as string, facet))
  return faults
}

function validate(schema: string, value: unknown): string[] {
  const check = ajv.getSchema(schema)
  if (check === undefined) return [`no schema ${schema}`]
  return check(value) === true ? [] : (check.errors ?? []).map((error) => `${schema}: ${ajv.errorsText([error])}`)
}

function listFacets(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(listFacets)
  return '_schemaURL' in value ? [value, ...inner] : inner
}
