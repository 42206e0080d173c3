import type { Command } from './command.ts'
import { runCommand } from './commands/run/run-command.ts'

export type LoadCommand = () => Promise<Command>

/** All commands by name, in the groups of the help, and in its order. All but `run` are loaded on demand. */
export const commandGroups: Readonly<Record<string, Readonly<Record<string, LoadCommand>>>> = {
  Start: {
    init: async () => (await import('./commands/config/init-command.ts')).initCommand,
    run: () => Promise.resolve(runCommand),
  },
  Look: {
    preview: async () => (await import('./commands/look/preview-command.ts')).previewCommand,
    trace: async () => (await import('./commands/look/trace-command.ts')).traceCommand,
    rejects: async () => (await import('./commands/run/rejects-command.ts')).rejectsCommand,
    profile: async () => (await import('./commands/look/profile-command.ts')).profileCommand,
    diff: async () => (await import('./commands/look/diff-command.ts')).diffCommand,
    digest: async () => (await import('./commands/look/digest-command.ts')).digestCommand,
    scorecard: async () => (await import('./commands/look/scorecard-command.ts')).scorecardCommand,
    sql: async () => (await import('./commands/look/sql-command.ts')).sqlCommand,
    verify: async () => (await import('./commands/look/verify-command.ts')).verifyCommand,
    mcp: async () => (await import('./commands/look/mcp-command.ts')).mcpCommand,
  },
  Config: {
    check: async () => (await import('./commands/config/check-command.ts')).checkCommand,
    plan: async () => (await import('./commands/config/plan-command.ts')).planCommand,
    describe: async () => (await import('./commands/config/describe-command.ts')).describeCommand,
    state: async () => (await import('./commands/run/state-command.ts')).stateCommand,
    lock: async () => (await import('./commands/run/lock-command.ts')).lockCommand,
    lake: async () => (await import('./commands/run/lake-command.ts')).lakeCommand,
  },
  Service: {
    endpoints: async () => (await import('./commands/service/endpoints-command.ts')).endpointsCommand,
    fetch: async () => (await import('./commands/service/fetch-command.ts')).fetchCommand,
    backfill: async () => (await import('./commands/run/backfill-command.ts')).backfillCommand,
    media: async () => (await import('./commands/service/media-command.ts')).mediaCommand,
    users: async () => (await import('./commands/service/users-command.ts')).usersCommand,
    doctor: async () => (await import('./commands/service/doctor-command.ts')).doctorCommand,
  },
  Scale: {
    shards: async () => (await import('./commands/run/shards-command.ts')).shardsCommand,
  },
  Try: {
    sandbox: async () => (await import('./commands/try/sandbox-command.ts')).sandboxCommand,
  },
}

export const commands: Readonly<Record<string, LoadCommand>> = Object.assign({}, ...Object.values(commandGroups))

/** Commands under their former names, which work for now, and what to call instead. */
export const formerCommands: Readonly<Record<string, { readonly load: LoadCommand; readonly instead: string }>> = {
  ddl: {
    load: async () => (await import('./commands/config/ddl-command.ts')).ddlCommand,
    instead: 'describe --as ddl',
  },
  schema: {
    load: async () => (await import('./commands/config/schema-command.ts')).schemaCommand,
    instead: 'describe --as config-schema',
  },
  report: {
    load: async () => (await import('./commands/look/report-command.ts')).reportCommand,
    instead: 'run --page-only',
  },
  generate: {
    load: async () => (await import('./commands/try/generate-command.ts')).generateCommand,
    instead: 'sandbox generate',
  },
  demo: {
    load: async () => (await import('./commands/try/demo-command.ts')).demoCommand,
    instead: 'sandbox demo',
  },
}
