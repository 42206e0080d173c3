import { redactCredentials } from '../../../config/credentials.ts'
import { readToolVersion } from '../../../package-file.ts'
import type { PipelinePlan } from '../../../plan/pipeline-plan.ts'
import type { FinishedRun } from '../run-observer.ts'
import { type Dataset, facet, type Facets, producer, toDataset } from './dataset.ts'
import { runEventSchema } from './facet-schemas.ts'
import { toInputs } from './input-datasets.ts'
import { type DatasetName, nameInputs } from './name-datasets.ts'
import { listOutputs, toOutputs } from './output-datasets.ts'
import type { ParentRun } from './parent-run.ts'

/** What all events of a run have in common. */
export interface RunIdentity {
  readonly plan: PipelinePlan
  readonly runId: string
  readonly namespace: string
  readonly parent: ParentRun | null
}

/** An event by https://openlineage.io/spec/2-0-2/OpenLineage.json. */
export interface RunEvent {
  readonly eventType: 'START' | 'COMPLETE' | 'ABORT' | 'FAIL'
  readonly eventTime: string
  readonly producer: string
  readonly schemaURL: string
  readonly run: { readonly runId: string; readonly facets: Facets }
  readonly job: DatasetName & { readonly facets: Facets }
  readonly inputs: readonly Dataset[]
  readonly outputs: readonly Dataset[]
}

/** The event of a run that begins, with the datasets that it will read and write. */
export function toStartEvent(identity: RunIdentity, startedAt: Date): RunEvent {
  return toEvent(identity, 'START', startedAt, namedDatasets(identity))
}

/** The event of a run that ended. What it says about datasets is what the run read, checked and published. */
export function toEndEvent(identity: RunIdentity, end: FinishedRun): RunEvent {
  const { plan } = identity
  const { inputs, outputs } = namedDatasets(identity)
  const read = end.report === null ? inputs : toInputs(plan, end.report)
  if (end.outcome === 'published')
    return toEvent(identity, 'COMPLETE', end.finishedAt, { inputs: read, outputs: toOutputs(plan, end.report) })
  const { code, message } = end.error
  const errorMessage = { message: `${code}: ${redact(message)}`, programmingLanguage: 'JavaScript' }
  const type = code === 'INTERRUPTED' ? 'ABORT' : 'FAIL'
  return toEvent(identity, type, end.finishedAt, { inputs: read, outputs }, facet('errorMessage', errorMessage))
}

function namedDatasets({ plan }: RunIdentity): Pick<RunEvent, 'inputs' | 'outputs'> {
  return { inputs: nameInputs(plan.source).map(toDataset), outputs: listOutputs(plan).map(toDataset) }
}

function toEvent(
  { plan, runId, namespace, parent }: RunIdentity,
  eventType: RunEvent['eventType'],
  at: Date,
  datasets: Pick<RunEvent, 'inputs' | 'outputs'>,
  facets: Facets = {},
): RunEvent {
  const { name, version } = readToolVersion()
  const engine = facet('processing_engine', { name, version, openlineageAdapterVersion: version })
  const jobType = { processingType: 'BATCH', integration: 'CATALOGUE_ETL', jobType: 'JOB' }
  return {
    eventType,
    eventTime: at.toISOString(),
    producer,
    schemaURL: runEventSchema,
    run: { runId, facets: { ...engine, ...(parent && facet('parent', parent)), ...facets } },
    job: { namespace, name: plan.name, facets: facet('jobType', jobType) },
    ...datasets,
  }
}

/** A message without passwords in addresses, and without their queries, which may be signed. */
export function redact(message: string): string {
  return redactCredentials(message, []).replaceAll(/(\bhttps?:\/\/[^\s"'?]*)\?[^\s"']*/g, '$1?***')
}
