import type { ContractName } from '../contracts/contracts.ts'
import { checkPipeline } from '../plan/check-pipeline.ts'
import type { PipelinePlan } from '../plan/pipeline-plan.ts'

/** The plan of a config that says nothing but the contract: every table with every column. */
export function planContract(contract: ContractName): PipelinePlan {
  const config = {
    name: contract.replace('/', '-'),
    source: { contract, files: ['export.ndjson'] },
    outputs: [{ format: 'ndjson', path: 'out/{table}.ndjson' }],
  }
  const { plan, problems } = checkPipeline(config, { env: {}, needsService: false, now: 0 })
  if (plan === null) throw new TypeError(`${contract}: expected a plan, got ${JSON.stringify(problems)}`)
  return plan
}
