import { z } from 'zod'
import type { DeepReadonly } from '../manifest/manifest.ts'
import { endpointNames } from '../service/endpoints/endpoints.ts'
import { interpretationNames } from './interpretations.ts'

const verdict = z
  .enum(['holds', 'differs', 'untold'])
  .describe('as assumed; otherwise; or not to be told from what came')

const endpoint = z.enum(endpointNames)
const count = z.int().nonnegative()

const interpretation = z.object({
  name: z.enum(interpretationNames).describe('as in docs/service.md'),
  title: z.string().describe('the assumption'),
  verdict,
  isAsked: z.boolean().describe('false if no reading request can tell, or none of its endpoints was asked'),
  isHandled: z.boolean().nullable().describe('differs: a run reads the other form as well, nothing has to be changed'),
  fix: z.string().nullable().describe('differs: what to change'),
  findings: z.array(z.object({ endpoint, verdict, detail: z.string() })).describe('without any value of a record'),
})

const examinedEndpoint = z.object({
  name: endpoint,
  method: z.enum(['GET', 'POST']),
  status: z.int().nullable().describe('null if no answer came or nothing was asked'),
  contentType: z.string().nullable(),
  headers: z.array(z.string()).describe('names of the headers of the answer'),
  form: z.string().nullable().describe('what the answer was, for people'),
  records: count.describe('number of records that were read'),
  total: count.nullable().describe('the total that the answer states'),
  silence: z.string().nullable().describe('why it shows no record; null if it shows some'),
  fields: z
    .array(z.object({ path: z.string(), types: z.record(z.string(), count) }))
    .describe('fields of the contract that came, with the number of values of each type'),
  fieldsBeyond: z
    .array(z.object({ path: z.string(), types: z.array(z.string()) }))
    .describe('fields that the contract does not have'),
})

export const examinationReportSchema = z.object({
  baseUrl: z.string(),
  startedAt: z.iso.datetime(),
  durationMs: count,
  requests: count,
  interpretations: z.array(interpretation),
  endpoints: z.array(examinedEndpoint),
})

export type ExaminationReport = DeepReadonly<z.output<typeof examinationReportSchema>>
export type ExaminedInterpretation = ExaminationReport['interpretations'][number]
export type ExaminedEndpoint = ExaminationReport['endpoints'][number]
