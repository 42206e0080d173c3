import { Command, InvalidArgumentError, Option } from 'commander'
import type { CommitOptions } from '../shards/commit.ts'
import type { PlanShardsOptions } from '../shards/plan.ts'
import type { PlanOptions } from '../shards/plan-options.ts'
import type { RunShardsOptions } from '../shards/run.ts'
import type { Finish, Terminal } from '../terminal.ts'
import {
  toBytes,
  toWaitMs,
  toWorkers,
  withConfigOptions,
  withEnvFile,
  withFromOption,
  withLogOption,
} from './command-options.ts'

const planArgument = 'the folder of the plan, or s3://bucket/prefix'

/** Each command loads what it needs: a shard may take no longer than starting a process. */
export function createShardsCommand(terminal: Terminal, finish: Finish): Command {
  const command = new Command('shards')
    .description('Runs a pipeline in shards, on any number of machines: plan, run each shard, commit.')
    .addHelpText(
      'after',
      '\nExample:\n  $ catalogue-etl shards status /shared/plan\n\nIn their order:\n  $ catalogue-etl shards plan archive.yaml --to /shared/plan\n  $ for n in 0 1 2 3; do catalogue-etl shards run /shared/plan --shard $n; done\n  $ catalogue-etl shards commit /shared/plan',
    )
  withFromOption(withConfigOptions(command.command('plan')))
    .description('Divides the files of a config into shards, and writes the plan that every machine reads.')
    .argument('<config>', 'a YAML, JSON, .ts or .js file')
    .requiredOption('--to <plan>', `${planArgument}, which every machine sees`)
    .option('--bytes <size>', 'size of a shard, as its files are on disk; default 512MB', toBytes)
    .option('--json', 'write the plan as JSON')
    .addHelpText('after', '\nExample:\n  $ catalogue-etl shards plan archive.yaml --to s3://bucket/plan --bytes 1GB')
    .action(async (file: string, options: PlanShardsOptions) => {
      const { plan } = await import('../shards/plan.ts')
      await plan(file, options, terminal)
    })
  withLogOption(withEnvFile(command.command('run')))
    .description('Runs shards of a plan. What they hold is judged by the commit: rejects fail no shard.')
    .argument('<plan>', planArgument)
    .option(
      '--shard <numbers>',
      `numbers and ranges such as 3,7-9, from 0 on; default that of the scheduler's array`,
      toNumbers,
    )
    .addOption(
      new Option('--stage <stage>', 'ids for what duplicates: last or reject needs first')
        .choices(['rows', 'ids'])
        .default('rows'),
    )
    .option('--workers <n>', 'threads that validate and encode, see run', toWorkers)
    .addOption(new Option('--end-with-stdin', 'end when standard input ends: the caller is gone').hideHelp())
    .option('--json', 'write the results as JSON')
    .addHelpText('after', runHelp)
    .action(async (folder: string, options: RunShardsOptions) => {
      const { run } = await import('../shards/run.ts')
      finish(await run(folder, options, terminal))
    })
  withEnvFile(command.command('resolve'))
    .description('Finds which lines repeat an id, once the stage ids of all shards has been run.')
    .argument('<plan>', planArgument)
    .option('--json', 'write the outcome as JSON')
    .addHelpText('after', '\nExample:\n  $ catalogue-etl shards resolve /shared/plan')
    .action(async (folder: string, options: PlanOptions) => {
      const { resolve } = await import('../shards/resolve.ts')
      await resolve(folder, options, terminal)
    })
  withEnvFile(command.command('status'))
    .description('Shows which shards of a plan have been run, and why others failed.')
    .argument('<plan>', planArgument)
    .option('--json', 'write the state as JSON')
    .addHelpText('after', '\nExample:\n  $ catalogue-etl shards status /shared/plan')
    .action(async (folder: string, options: PlanOptions) => {
      const { showStatus } = await import('../shards/status.ts')
      await showStatus(folder, options, terminal)
    })
  withLogOption(withEnvFile(command.command('commit')))
    .description(
      'Adds up all shards, checks the totals as a run does, and publishes them together, or publishes nothing.',
    )
    .argument('<plan>', planArgument)
    .option('--prune', 'remove files that an earlier config of the pipeline left, once the new ones are in place')
    .option('--keep', 'keep what the attempts have written, which nothing needs any more')
    .option('--wait [duration]', 'wait for another run of the pipeline to end, 10m at most for instance', toWaitMs)
    .option('--json', 'write the report as JSON')
    .addHelpText('after', '\nExample:\n  $ catalogue-etl shards commit /shared/plan')
    .action(async (folder: string, options: CommitOptions) => {
      const { commit } = await import('../shards/commit.ts')
      await commit(folder, options, terminal)
    })
  return command
}

const runHelp = `
Example:
  $ catalogue-etl shards run /shared/plan --shard 17

Exit codes: 0 the shard has a result (also with rejects, an incomplete or a damaged file: the commit
judges them), 2 usage or another plan: a repetition ends in the same way; 1, 4, 5 and 130 may be
better elsewhere or later.`

/** `3,7-9` */
/** More than any plan has: a slip of the hand makes no list that fills the memory. */
const mostShards = 1_000_000

function toNumbers(text: string): number[] {
  const ranges = text.split(',').map((range) => /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(range))
  const numbers = ranges.flatMap((range) => {
    const from = Number(range?.[1])
    const to = Number(range?.[2] ?? range?.[1])
    if (range === null || to < from || to - from >= mostShards)
      throw new InvalidArgumentError('Expected numbers and ranges such as 3,7-9, from 0 on.')
    return Array.from({ length: to - from + 1 }, (_, at) => from + at)
  })
  return [...new Set(numbers)]
}
