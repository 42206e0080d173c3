import type { Command, CommandGroup } from './command.ts'
import { runCommand } from './commands/run/run-command.ts'

/** All commands by name, in the order of the help. All but `run` are loaded on demand. */
export const commands = {
  run: () => Promise.resolve(runCommand),
  init: async () => (await import('./commands/config/init-command.ts')).initCommand,
  check: async () => (await import('./commands/config/check-command.ts')).checkCommand,
  plan: async () => (await import('./commands/config/plan-command.ts')).planCommand,
  ddl: async () => (await import('./commands/config/ddl-command.ts')).ddlCommand,
  shards: async () => (await import('./commands/run/shards-command.ts')).shardsCommand,
  describe: async () => (await import('./commands/config/describe-command.ts')).describeCommand,
  schema: async () => (await import('./commands/config/schema-command.ts')).schemaCommand,
  preview: async () => (await import('./commands/look/preview-command.ts')).previewCommand,
  backfill: async () => (await import('./commands/run/backfill-command.ts')).backfillCommand,
  verify: async () => (await import('./commands/look/verify-command.ts')).verifyCommand,
  profile: async () => (await import('./commands/look/profile-command.ts')).profileCommand,
  sql: async () => (await import('./commands/look/sql-command.ts')).sqlCommand,
  trace: async () => (await import('./commands/look/trace-command.ts')).traceCommand,
  diff: async () => (await import('./commands/look/diff-command.ts')).diffCommand,
  rejects: async () => (await import('./commands/run/rejects-command.ts')).rejectsCommand,
  report: async () => (await import('./commands/look/report-command.ts')).reportCommand,
  state: async () => (await import('./commands/run/state-command.ts')).stateCommand,
  lock: async () => (await import('./commands/run/lock-command.ts')).lockCommand,
  lake: async () => (await import('./commands/run/lake-command.ts')).lakeCommand,
  fetch: async () => (await import('./commands/service/fetch-command.ts')).fetchCommand,
  media: async () => (await import('./commands/service/media-command.ts')).mediaCommand,
  endpoints: async () => (await import('./commands/service/endpoints-command.ts')).endpointsCommand,
  doctor: async () => (await import('./commands/service/doctor-command.ts')).doctorCommand,
  generate: async () => (await import('./commands/try/generate-command.ts')).generateCommand,
  sandbox: async () => (await import('./commands/try/sandbox-command.ts')).sandboxCommand,
  users: async () => (await import('./commands/service/users-command.ts')).usersCommand,
  demo: async () => (await import('./commands/try/demo-command.ts')).demoCommand,
} satisfies Record<string, () => Promise<Command | CommandGroup>>
