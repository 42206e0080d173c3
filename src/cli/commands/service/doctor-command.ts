import { examineService, toEndpointNames } from '../../../doctor/examine-service.ts'
import type { ExaminationReport } from '../../../doctor/examination-report.ts'
import type { ProbedService } from '../../../doctor/service-probe.ts'
import { CatalogueError, exitCodes, toCatalogueError } from '../../../errors.ts'
import { findService } from '../../../users/user-service.ts'
import { defineCommand, type InputOf } from '../../command.ts'
import { readEnvFiles } from '../../env-file.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, flag, option } from '../../parameter.ts'
import { createExaminationProgress } from '../../progress/examination-progress.ts'
import { renderExamination } from '../../render/render-examination.ts'
import { inTermsOfVariables, readServiceAccess } from '../../service-access.ts'
import { colorsFor, log, print, writeJson, type Terminal } from '../../terminal.ts'
import { envOption } from '../../shared-options.ts'

const options = {
  ...envOption,
  baseUrl: option('<url>', 'the address of the service, in place of CATALOGUE_URL'),
  only: option('<endpoint...>', 'ask only these endpoints, such as v4/products/stream'),
  strict: flag('end with 3 where something differs that needs a change'),
  json: flag('write the findings as JSON, with the types of every field'),
  quiet: flag('print the findings and errors only'),
}

type Options = InputOf<typeof options>

/** A service to examine, at the rate set by its config. */
type Access = ProbedService & { readonly requestsPerMinute?: number }

export const doctorCommand = defineCommand({
  description: 'Asks the service which assumptions of this tool about it hold. Reads only, and prints no data.',
  arguments: {
    config: argument('[config]', 'a pipeline whose address and credentials are taken in place of the variables'),
  },
  options,
  examples: [
    'catalogue-etl doctor --env production.env',
    'catalogue-etl doctor --env production.env --only v4/products/query v4/products/stream',
    'catalogue-etl doctor pipelines/products.yaml --strict --json > findings.json',
  ],
  after: `Without a config, CATALOGUE_URL, CATALOGUE_KEY_ID and CATALOGUE_KEY_SECRET say where and as whom.
It sends about 55 small requests, within the 100 a minute of the key. docs/service.md explains every assumption.

Exit codes: 0 asked, whatever was found, 2 usage, 3 with --strict: something differs that needs a change,
4 the service can't be reached or gives no data to this key, 130 interrupted.`,
  async run({ config, ...input }, terminal) {
    const { strict, json, quiet } = input
    const only = input.only === undefined ? undefined : toEndpointNames(input.only)
    const service = await findProbedService(config, input, terminal)
    const report = await examineWithProgress(service, only, quiet === true, config === undefined, terminal)
    const exitCode = strict && needsChange(report) ? exitCodes.tooManyRejects : exitCodes.published
    if (json) writeJson(terminal, { ok: exitCode === exitCodes.published, exitCode, report })
    else print(terminal, renderExamination(report, terminal.stdout.columns, colorsFor(terminal.stdout, terminal.env)))
    return exitCode
  },
})

async function examineWithProgress(
  { requestsPerMinute, ...service }: Access,
  only: ReturnType<typeof toEndpointNames> | undefined,
  quiet: boolean,
  isFromVariables: boolean,
  terminal: Terminal,
): Promise<ExaminationReport> {
  const progress = createExaminationProgress(terminal, quiet)
  try {
    return await examineService(service, {
      only,
      requestsPerMinute,
      signal: terminal.signal,
      onProgress: (at) => progress.show(at),
      onWarning: (message) => log(terminal, message),
    })
  } catch (error) {
    const failure = toCatalogueError(error)
    throw isFromVariables ? inTermsOfVariables(failure, 'to read') : failure
  } finally {
    progress.stop()
  }
}

function needsChange({ interpretations }: ExaminationReport): boolean {
  return interpretations.some(({ isHandled }) => isHandled === false)
}

async function findProbedService(
  config: string | undefined,
  { baseUrl, env: envFiles = [] }: Options,
  terminal: Terminal,
): Promise<Access> {
  const env = await readEnvFiles(envFiles, terminal)
  if (config === undefined) {
    const variables = baseUrl === undefined ? env : { ...env, CATALOGUE_URL: baseUrl }
    return findService(readServiceAccess(['baseUrl', 'keyId', 'keySecret'], variables), env)
  }
  const { plan } = await loadPlan(config, { env: envFiles, needsService: true, needsDatabases: false }, terminal)
  const { source } = plan
  if (source.kind !== 'service' || source.baseUrl === null || source.credentials === null) {
    const message = `${config}: expected a source with an endpoint, whose address and key are used, got files`
    throw new CatalogueError('USAGE', message)
  }
  const { keyId, keySecret } = source.credentials
  const { userAgent, requestsPerMinute } = source.client
  const service = findService({ baseUrl: baseUrl ?? source.baseUrl, keyId, keySecret }, env)
  return { ...service, userAgent: userAgent ?? undefined, requestsPerMinute }
}
