import type { InputOf } from '../../command.ts'
import { choice, flag, option, repeated, withDefault } from '../../parameter.ts'
import {
  asOfOption,
  configOptions,
  contractOption,
  fromOption,
  logOption,
  quietOption,
  toBytes,
  toCount,
  wait,
  workersOption,
} from '../../shared-options.ts'

export const replayOptions = {
  ...configOptions,
  ...fromOption,
  ...logOption,
  ...workersOption('threads that validate and encode, 0 to 64; default CATALOGUE_WORKERS, else by the number of cores'),
  wait: wait('wait for another run of the pipeline to end, 10m at most for instance'),
  metrics: option('<file>', 'write the outcome as OpenMetrics text, for a collector of text files'),
  onFailure: option(
    '<command>',
    'command to run if the exit code is not 0; it gets the JSON of --json on standard input',
  ),
  json: flag('write the reports as JSON to standard output'),
  ...quietOption,
}

const sparkOptions = {
  bytes: option('<size>', 'with --engine: size of a shard, as its files are on disk; default 512MB', toBytes),
  master: option('<url>', 'of Spark, such as spark://HOST:7077; default that of its settings'),
  remote: option('<url>', 'a server of Spark Connect, such as sc://HOST:15002'),
  conf: repeated('<key=value>', 'a setting of Spark (repeatable)'),
  command: option('<command>', 'catalogue-etl on the executors; default CATALOGUE_ETL there, else the one in PATH'),
}

export const sparkOptionNames = Object.keys(sparkOptions) as (keyof typeof sparkOptions)[]

export const runOptions = {
  limit: option('<n>', 'read only the first lines: publishes a sample', toCount),
  fullRefresh: flag('read everything, not only what changed since the last run'),
  prune: flag('remove files that an earlier config of the pipeline left, once the new ones are in place'),
  pageOnly: flag('read nothing, and write the page of the last run again, from its manifest, profile and rejects'),
  plan: option('<folder>', 'run the shards of this plan one by one, then commit: the outputs that many machines make'),
  parallel: withDefault(option('<n>', 'pipelines that run at the same time', toCount), 1),
  ...replayOptions,
  ...contractOption,
  ...asOfOption,
  engine: choice('<name>', 'plan shards, run them there, and commit', ['spark']),
  ...sparkOptions,
}

/** The input of `run`, or of `rejects replay`, which has fewer options. */
export type RunInput = Partial<Omit<InputOf<typeof runOptions>, 'pageOnly'>> & {
  readonly files: readonly string[]
  readonly fixed?: readonly string[]
  /** A table of corrections in place of that of the config. */
  readonly corrections?: string
}
