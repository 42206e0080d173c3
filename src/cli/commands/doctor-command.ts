import { Command } from 'commander'
import { examineService, toEndpointNames } from '../../doctor/examine-service.ts'
import type { ExaminationReport } from '../../doctor/examination-report.ts'
import type { ProbedService } from '../../doctor/service-probe.ts'
import { CatalogueError, exitCodes, toCatalogueError } from '../../errors.ts'
import { findService } from '../../users/user-service.ts'
import { readEnvFiles } from '../env-file.ts'
import { loadPlan } from '../load-pipelines.ts'
import { createExaminationProgress } from '../render/examination-progress.ts'
import { renderExamination } from '../render/render-examination.ts'
import { inTermsOfVariables, readServiceAccess } from '../service-access.ts'
import { colorsFor, log, print, writeJson, type Finish, type Terminal } from '../terminal.ts'
import { withEnvFile } from './command-options.ts'

interface DoctorOptions {
  readonly baseUrl?: string
  readonly only?: readonly string[]
  readonly strict?: true
  readonly env?: readonly string[]
  readonly json?: true
  readonly quiet?: true
}

/** A service to ask, with the rate that its config names. */
type Access = ProbedService & { readonly requestsPerMinute?: number }

export function createDoctorCommand(terminal: Terminal, finish: Finish): Command {
  return withEnvFile(new Command('doctor'))
    .description('Asks the service which assumptions of this tool about it hold. Reads only, and prints no data.')
    .argument('[config]', 'a pipeline whose address and credentials are taken in place of the variables')
    .option('--base-url <url>', 'the address of the service, in place of CATALOGUE_URL')
    .option('--only <endpoint...>', 'ask only these endpoints, such as v4/products/stream')
    .option('--strict', 'end with 3 where something differs that needs a change')
    .option('--json', 'write the findings as JSON, with the types of every field')
    .option('--quiet', 'print the findings and errors only')
    .addHelpText('after', doctorHelp)
    .action(async (config: string | undefined, options: DoctorOptions) =>
      finish(await examine(config, options, terminal)),
    )
}

const doctorHelp = `
Example:
  $ catalogue-etl doctor --env production.env
  $ catalogue-etl doctor --env production.env --only v4/products/query v4/products/stream
  $ catalogue-etl doctor pipelines/products.yaml --strict --json > findings.json

Without a config, CATALOGUE_URL, CATALOGUE_KEY_ID and CATALOGUE_KEY_SECRET say where and as whom.
It sends about 55 small requests, within the 100 a minute of the key. docs/service.md explains every assumption.

Exit codes: 0 asked, whatever was found, 2 usage, 3 with --strict: something differs that needs a change,
4 the service can't be reached or gives no data to this key, 130 interrupted.`

async function examine(config: string | undefined, options: DoctorOptions, terminal: Terminal): Promise<number> {
  const { strict, json, quiet } = options
  const only = options.only === undefined ? undefined : toEndpointNames(options.only)
  const service = await findProbedService(config, options, terminal)
  const report = await examineWithProgress(service, only, quiet === true, config === undefined, terminal)
  const exitCode = strict && needsChange(report) ? exitCodes.tooManyRejects : exitCodes.published
  if (json) writeJson(terminal, { ok: exitCode === exitCodes.published, exitCode, report })
  else print(terminal, renderExamination(report, terminal.stdout.columns, colorsFor(terminal.stdout, terminal.env)))
  return exitCode
}

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
  { baseUrl, env: envFiles = [] }: DoctorOptions,
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
