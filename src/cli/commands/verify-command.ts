import { Command } from 'commander'
import { exitCodes } from '../../errors.ts'
import type { Verification } from '../../engine/verify/verification.ts'
import { verifyPipeline } from '../../engine/verify/verify-pipeline.ts'
import { loadPlan, type ConfigOptions } from '../load-pipelines.ts'
import { withConfigOptions } from './command-options.ts'
import { format, row, toMegabytes } from '../render/render-report.ts'
import { colorsFor, print, writeJson, type Colors, type Finish, type Terminal } from '../terminal.ts'

interface VerifyCommandOptions extends ConfigOptions {
  readonly json?: true
}

export function createVerifyCommand(terminal: Terminal, finish: Finish): Command {
  return withConfigOptions(new Command('verify'))
    .description(
      'Compares what was published with what is there: files by sha256, tables of databases by rows and records. Only reads. Ends with 4 if they differ.',
    )
    .argument('<config>', 'a YAML, JSON, .ts or .js file')
    .option('--json', 'write what was found as JSON')
    .addHelpText('after', '\nExample:\n  $ catalogue-etl verify pipelines/products.yaml --json')
    .action(async (file: string, options: VerifyCommandOptions) => finish(await verify(file, options, terminal)))
}

async function verify(file: string, options: VerifyCommandOptions, terminal: Terminal): Promise<number> {
  const { plan, env } = await loadPlan(
    file,
    { ...options, needsService: false, needsDatabases: true, takesExports: true },
    terminal,
  )
  const found = await verifyPipeline(plan, { env, signal: terminal.signal })
  if (options.json) writeJson(terminal, found)
  else print(terminal, renderVerification(found, colorsFor(terminal.stdout, terminal.env)))
  return found.ok ? exitCodes.published : exitCodes.source
}

function renderVerification(found: Verification, colors: Colors): string {
  const { ok, pipeline, manifest, publishedAt, files, bytes, databases, differences } = found
  const verdict = ok
    ? colors.green('everything is as it was published')
    : colors.red(`${format(differences.length)} ${differences.length === 1 ? 'difference' : 'differences'}`)
  const tables = databases.flatMap((database) => database.tables)
  return [
    `${colors.bold(pipeline)}  ${verdict}`,
    ...(publishedAt === null ? [] : [row('published', publishedAt)]),
    ...(files === 0 ? [] : [row('files', `${format(files)} compared, ${toMegabytes(bytes)} as published`)]),
    ...(tables.length === 0
      ? []
      : [
          row(
            'tables',
            `${format(tables.length)} compared in ${databases.length} ${databases.length === 1 ? 'database' : 'databases'}`,
          ),
        ]),
    ...differences.map(({ kind, where, expected, got }) =>
      row(kind, colors.yellow(`${where}: expected ${expected}, got ${got}`)),
    ),
    row('manifest', manifest),
  ].join('\n')
}
