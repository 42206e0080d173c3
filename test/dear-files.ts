/** Test files that may take more than three seconds of CPU time in quick depth, and why: see `cpu-reporter.ts`. */
export const dearFiles: Readonly<Record<string, string>> = {
  'test/build/bundle.test.ts': 'bundles the package twice',
  'test/cli/commands/init-questions.test.ts': 'starts the command in a terminal for each question that it asks',
  'test/cli/process/process.test.ts': 'starts a process for each exit code, pipe and signal',
  'test/cli/process/workers.test.ts': 'feeds processes more than a run reads before it starts threads',
  'test/crash/killed-runs.test.ts': 'starts processes that are killed, beside undisturbed runs over the same nights',
  'test/describe/config-schema.test.ts': 'compiles the schema of products, of a thousand columns, for several configs',
  'test/engine/fetch/fetch.test.ts': 'fetches more than a process may hold in memory',
  'test/engine/month/month.test.ts': 'loads every night into files and two databases, in three modes each',
  'test/loads/databases/lock-waits.test.ts': 'starts a run for each lock of PostgreSQL that one may wait for',
  'test/loads/databases/loads.test.ts': 'loads into both databases in every mode',
  'test/loads/state/database-outputs.test.ts': 'loads several nights into both databases beside files',
  'test/loads/state/nights.test.ts': 'loads scripted nights into files and both databases',
  'test/scan/scan-block.test.ts': 'compiles and compares both paths for every plan and every golden case',
  'test/shards/same-as-one-run.test.ts': 'runs every config twice, once in shards',
  'test/storage/publication-killed.test.ts': 'kills processes before one operation after the other',
}
