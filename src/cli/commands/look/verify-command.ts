import { exitCodes } from '../../../errors.ts'
import type { Verification } from '../../../inspect/verify/verification.ts'
import { verifyPipeline } from '../../../inspect/verify/verify-pipeline.ts'
import { defineCommand } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, flag } from '../../parameter.ts'
import { row } from '../../render/render-report.ts'
import { colorsFor, print, writeJson, type Colors } from '../../terminal.ts'
import { configOptions } from '../../shared-options.ts'
import { countOf, formatCount } from '../../../text/format-count.ts'
import { formatMegabytes } from '../../../text/format-size.ts'

export const verifyCommand = defineCommand({
  description:
    'Compares what was published with what is there: files by sha256, tables of databases by rows and records. Only reads. Ends with 4 if they differ.',
  arguments: { config: argument('<config>', 'a YAML, JSON, .ts or .js file') },
  options: { ...configOptions, json: flag('write what was found as JSON') },
  examples: ['catalogue-etl verify pipelines/products.yaml --json'],
  async run({ config, json, ...options }, terminal) {
    const needs = { needsService: false, needsDatabases: true, takesExports: true }
    const { plan, env } = await loadPlan(config, { ...options, ...needs }, terminal)
    const found = await verifyPipeline(plan, { env, signal: terminal.signal })
    if (json) writeJson(terminal, found)
    else print(terminal, renderVerification(found, colorsFor(terminal.stdout, terminal.env)))
    return found.ok ? exitCodes.published : exitCodes.source
  },
})

function renderVerification(found: Verification, colors: Colors): string {
  const { ok, pipeline, manifest, publishedAt, files, bytes, databases, differences } = found
  const verdict = ok
    ? colors.green('everything is as it was published')
    : colors.red(countOf(differences.length, 'difference'))
  const tables = databases.flatMap((database) => database.tables)
  return [
    `${colors.bold(pipeline)}  ${verdict}`,
    ...(publishedAt === null ? [] : [row('published', publishedAt)]),
    ...(files === 0 ? [] : [row('files', `${formatCount(files)} compared, ${formatMegabytes(bytes)} as published`)]),
    ...(tables.length === 0
      ? []
      : [
          row(
            'tables',
            `${formatCount(tables.length)} compared in ${databases.length} ${databases.length === 1 ? 'database' : 'databases'}`,
          ),
        ]),
    ...differences.map(({ kind, where, expected, got }) =>
      row(kind, colors.yellow(`${where}: expected ${expected}, got ${got}`)),
    ),
    row('manifest', manifest),
  ].join('\n')
}
