import { ddlDialects, formatDdl, type DdlDialectName } from '../../../describe/ddl/format-ddl.ts'
import { CatalogueError } from '../../../errors.ts'
import { formatChanges, sinceStart } from '../../../describe/ddl/format-changes.ts'
import { formatViews } from '../../../describe/ddl/format-views.ts'
import type { PublishedManifest } from '../../../manifest/manifest.ts'
import { requireManifest } from '../../../manifest/read-manifest.ts'
import type { PipelinePlan } from '../../../plan/pipeline-plan.ts'
import { openStorage } from '../../../storage/open-storage.ts'
import { defineCommand, type InputOf } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, choice, flag, option, required } from '../../parameter.ts'
import { toShardedFile } from '../../../shards/attempt-paths.ts'
import { configOptions } from '../../shared-options.ts'
import { log, type Terminal } from '../../terminal.ts'

export const ddlOptions = {
  dialect: choice('<name>', 'for ddl: the warehouse', Object.keys(ddlDialects) as DdlDialectName[]),
  shards: flag('load what `shards commit` publishes: a folder of parts for each table'),
  changes: flag('print what applies the changes of the last run, from files of outputs with `mode: changes`'),
  since: option('<run>', `with --changes: those of all runs after this one; \`${sinceStart}\` for all that there are`),
  views: flag('print views of the tables in lakes at the versions of the last run, for duckdb or spark'),
}

type DdlInput = InputOf<typeof configOptions> &
  Partial<InputOf<Omit<typeof ddlOptions, 'dialect'>>> & { readonly config: string; readonly dialect: DdlDialectName }

export const ddlCommand = defineCommand({
  description: 'Prints the statements that create the tables of a config and load its published files.',
  arguments: { config: argument('<config>', 'a YAML, JSON, .ts or .js file') },
  options: { ...configOptions, ...ddlOptions, dialect: required(ddlOptions.dialect) },
  examples: ['catalogue-etl ddl pipelines/products.yaml --dialect postgres | psql'],
  run: printDdl,
})

/** Prints statements for the tables of a config. Throws USAGE. */
export async function printDdl(
  { config, dialect, shards, views, changes, since, ...options }: DdlInput,
  terminal: Terminal,
) {
  if (since !== undefined && !changes) {
    throw new CatalogueError('USAGE', '--since: expected only with --changes, got it without', {
      fix: 'Add --changes, or leave --since out.',
    })
  }
  const { plan, env } = await loadPlan(config, { ...options, needsService: false }, terminal)
  if (views) {
    terminal.stdout.write(formatViews(await readPublished(plan, env), dialect))
    return
  }
  if (changes) {
    terminal.stdout.write(formatChanges(plan, await readPublished(plan, env), dialect, since))
    return
  }
  const warn = (message: string) => log(terminal, `${plan.name}: ${message}`)
  const files = shards ? plan.outputs.files.map(toShardedFile) : plan.outputs.files
  terminal.stdout.write(formatDdl({ ...plan, outputs: { ...plan.outputs, files } }, dialect, warn))
}

async function readPublished({ name, report }: PipelinePlan, env: Terminal['env']): Promise<PublishedManifest> {
  const { path } = report.manifest
  const storage = await openStorage(path, env)
  try {
    return await requireManifest(path, name, storage)
  } finally {
    await storage.close()
  }
}
