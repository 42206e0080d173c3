import { InvalidArgumentError } from 'commander'
import { vacuumLakes } from '../../../engine/run/vacuum-lakes.ts'
import { countOf } from '../../../text/format-count.ts'
import { formatBytes } from '../../../text/format-size.ts'
import { type CommandGroup, defineCommand } from '../../command.ts'
import { loadPlan } from '../../load-pipelines.ts'
import { argument, flag, option } from '../../parameter.ts'
import { row } from '../../render/render-report.ts'
import { configOptions, toDurationMs } from '../../shared-options.ts'
import { colorsFor, log, print, writeJson } from '../../terminal.ts'

const hour = 3_600_000
const week = 7 * 24 * hour

const vacuum = defineCommand({
  description:
    'Removes files in the lakes of a pipeline that only earlier versions of its tables need, and what killed runs have left.',
  arguments: { config: argument('<config>', 'a YAML, JSON, .ts or .js file') },
  options: {
    ...configOptions,
    olderThan: option('<duration>', 'how long earlier versions can be read, 1h or more; default 7d', toOlderThan),
    dryRun: flag('only say what would be removed'),
    json: flag('write the outcome as JSON'),
  },
  examples: ['catalogue-etl lake vacuum pipelines/nightly-lake.yaml --older-than 30d --dry-run'],
  async run({ config, olderThan = week, dryRun = false, json, ...options }, terminal) {
    const { plan, env } = await loadPlan(config, { ...options, needsService: false }, terminal)
    const { signal, stdout } = terminal
    const onWarning = (message: string) => log(terminal, `${plan.name}: ${message}`)
    const tables = await vacuumLakes(plan, { env, signal, onWarning, olderThan, dryRun })
    const sum = (of: 'files' | 'bytes' | 'uploads') => tables.reduce((all, table) => all + table[of], 0)
    const all = { files: sum('files'), bytes: sum('bytes'), uploads: sum('uploads') }
    if (json) return writeJson(terminal, { ok: true, pipeline: plan.name, dryRun, ...all, tables })
    const describe = ({ files, bytes, uploads }: typeof all) =>
      `${countOf(files, 'file')}, ${formatBytes(bytes)}${uploads === 0 ? '' : `, ${countOf(uploads, 'upload')}`}`
    const colors = colorsFor(stdout, terminal.env)
    const removed = `${dryRun ? 'would be removed' : 'removed'}: ${describe(all)}`
    const changed = tables.filter(({ files, uploads }) => files + uploads > 0)
    const rows = changed.map((table) => row(table.name, describe(table)))
    print(terminal, [`${colors.bold(plan.name)}  ${removed}`, ...rows].join('\n'))
  },
})

export const lakeCommand: CommandGroup = {
  description: 'Cleans up the tables of a pipeline in lakes.',
  examples: ['catalogue-etl lake vacuum pipelines/nightly-lake.yaml'],
  commands: { vacuum },
}

/** A load writes its files first and commits them then: younger ones may be those of a load on another machine. */
function toOlderThan(text: string): number {
  const ms = toDurationMs(text)
  if (ms >= hour) return ms
  throw new InvalidArgumentError('Expected 1h or more: a load that runs now may not have committed younger files yet.')
}
