import { types } from 'node:util'
import { closest, formatSuggestion } from './text/choices.ts'
import { showValue } from './text/show-value.ts'

/** How the process ends, by kind of trouble (the public contract with schedulers). */
export const exitCodes = {
  published: 0,
  unexpected: 1,
  usage: 2,
  tooManyRejects: 3,
  source: 4,
  output: 5,
  locked: 6,
  interrupted: 130,
} as const

interface ErrorDefinition {
  readonly title: string
  readonly exitCode: number
  readonly fix: string
}

/** Every way a run can end early: the stable code, what it means, the exit code and what to try. */
export const errorDefinitions = {
  USAGE: {
    title: 'The command was not understood',
    exitCode: exitCodes.usage,
    fix: 'See `catalogue-etl --help`, or `catalogue-etl <command> --help` for one command.',
  },
  CONFIG_INVALID: {
    title: 'The pipeline config has problems',
    exitCode: exitCodes.usage,
    fix: 'Correct the places named above; `catalogue-etl check CONFIG` lists them all again.',
  },
  CONFIG_UNREADABLE: {
    title: 'The pipeline config could not be read',
    exitCode: exitCodes.usage,
    fix: 'Check the path and its permissions.',
  },
  PEER_MISSING: {
    title: 'A package that this run needs is not installed',
    exitCode: exitCodes.usage,
    fix: 'Install it beside catalogue-etl with the line above.',
  },
  STATE_INVALID: {
    title: 'What earlier runs published does not fit this run',
    exitCode: exitCodes.usage,
    fix: 'Put the file back as it was. If that is not possible, `catalogue-etl state reset CONFIG` makes the next run read everything and start anew.',
  },
  TOO_MANY_REJECTS: {
    title: 'More lines were rejected than the limit allows',
    exitCode: exitCodes.tooManyRejects,
    fix: '`catalogue-etl rejects show CONFIG` shows what was expected, with examples. Raise `rejects.limit` only if the loss is acceptable.',
  },
  RULE_BROKEN: {
    title: 'The rows break a rule of the config',
    exitCode: exitCodes.tooManyRejects,
    fix: 'Correct the records, or the rule in `expect`. With `severity: warn` the run publishes, and reports the rule as broken.',
  },
  REMOVED_TOO_MANY: {
    title: 'More records would be removed than the limit allows',
    exitCode: exitCodes.tooManyRejects,
    fix: 'Check that the source holds everything. Raise `maxRemoved` only if the records are really gone, for one run by `--set maxRemoved=100%`.',
  },
  MEDIA_MISSING: {
    title: 'More files could not be downloaded than the limit allows',
    exitCode: exitCodes.tooManyRejects,
    fix: 'Read the reasons in `_missing.ndjson`, then run again: files that are there are not downloaded again. Raise `media.maxMissing` only if the loss is acceptable.',
  },
  SOURCE_NOT_FOUND: {
    title: 'A source was not found',
    exitCode: exitCodes.source,
    fix: 'Check the path (`source.files` in a config); relative paths start at the working directory. A retry ends in the same way until then.',
  },
  SOURCE_FAILED: {
    title: 'A source could not be read to its end',
    exitCode: exitCodes.source,
    fix: 'Get the file or the stream again, then repeat the run.',
  },
  SOURCE_ERROR_LINE: {
    title: 'The service reported an error inside the stream',
    exitCode: exitCodes.source,
    fix: 'Request the stream again; the records before the error are not the whole result.',
  },
  SOURCE_INCOMPLETE: {
    title: 'The source is not complete',
    exitCode: exitCodes.source,
    fix: 'Get the stream again. To publish what is there on purpose, set `completeness: report`.',
  },
  SOURCE_CHANGED: {
    title: 'The source changed while it was read',
    exitCode: exitCodes.source,
    fix: 'Run again when no program writes to the source files.',
  },
  SOURCE_DAMAGED: {
    title: 'A landed file was changed',
    exitCode: exitCodes.source,
    fix: 'Fetch it again. To read the file as it is now, remove its manifest.',
  },
  SOURCE_CAPPED: {
    title: 'The query matches more than can be read in pages',
    exitCode: exitCodes.source,
    fix: 'Read the stream endpoint instead, which has no such limit, or narrow the filter.',
  },
  SERVICE_UNREACHABLE: {
    title: 'The service could not be reached',
    exitCode: exitCodes.source,
    fix: 'Check the address (`source.baseUrl` in a config) and the network, then run again.',
  },
  SERVICE_UNTRUSTED: {
    title: 'The connection to the service could not be trusted',
    exitCode: exitCodes.source,
    fix: "Check `source.baseUrl` (https, host and port) and this machine's clock. Where an authority of your own signs certificates, name the file of its certificate in the environment variable NODE_EXTRA_CA_CERTS.",
  },
  SERVICE_FAILED: {
    title: 'The service could not answer',
    exitCode: exitCodes.source,
    fix: 'Run again later. If it persists, report it to the operators of the service.',
  },
  SERVICE_BUSY: {
    title: 'The service takes no more requests for now',
    exitCode: exitCodes.source,
    fix: 'Run again later, or stop other programs that use the same key: all requests with it share 100 a minute.',
  },
  SERVICE_UNAUTHORIZED: {
    title: 'The service did not accept the credentials',
    exitCode: exitCodes.source,
    fix: 'Check key id and key secret (`source.keyId` and `source.keySecret` in a config), that they belong to this environment, and what the subscription allows. A retry ends in the same way until then.',
  },
  SERVICE_NOT_FOUND: {
    title: 'The service knows no such address or record',
    exitCode: exitCodes.source,
    fix: 'Check the address (`source.baseUrl` in a config), which ends before /v3 or /v4, and the id in the request. A retry ends in the same way until then.',
  },
  SERVICE_REFUSED: {
    title: 'The service refused the request',
    exitCode: exitCodes.source,
    fix: 'Correct what the message names in `source.filter`, `sorting` or `page`; `catalogue-etl plan CONFIG` shows the request.',
  },
  SERVICE_REDIRECTED: {
    title: 'The service points to another address',
    exitCode: exitCodes.source,
    fix: 'Set the address (`source.baseUrl` in a config) to the new one, if you trust it: credentials go to no other host.',
  },
  ROWS_INVALID: {
    title: 'Rows of the file have problems',
    exitCode: exitCodes.tooManyRejects,
    fix: 'Correct the places named above, then run again.',
  },
  USERS_NOT_CREATED: {
    title: 'Not every user was created',
    exitCode: exitCodes.source,
    fix: 'Read why in the results file. Correct those rows and run again: created users are skipped.',
  },
  PLAN_INVALID: {
    title: 'The plan of shards does not fit',
    exitCode: exitCodes.usage,
    fix: 'Make the plan again with `catalogue-etl shards plan CONFIG --to PLAN`.',
  },
  SHARDS_INCOMPLETE: {
    title: 'Not every shard of the plan has been run',
    exitCode: exitCodes.source,
    fix: 'Run those that are named above, then commit again.',
  },
  SHARDS_DIFFER: {
    title: 'Two attempts of a shard have different results',
    exitCode: exitCodes.source,
    fix: 'Find out which of them is right: another version of a file, or damaged storage. Remove the folder of the other attempt, then commit again.',
  },
  OUTPUT_FAILED: {
    title: 'An output could not be written',
    exitCode: exitCodes.output,
    fix: 'Check free space and the connection to where it is written, then run again: nothing has to be cleaned up first.',
  },
  OUTPUT_REFUSED: {
    title: 'An output cannot be written where the config puts it',
    exitCode: exitCodes.usage,
    fix: 'Correct the path or the permissions that the message names: a retry alone fails in the same way.',
  },
  TARGET_MISMATCH: {
    title: 'The tables of the target do not fit this load',
    exitCode: exitCodes.usage,
    fix: 'Change the tables as the message says, or load into another schema.',
  },
  TARGET_FAILED: {
    title: 'A database could not be loaded',
    exitCode: exitCodes.output,
    fix: 'Check that the database runs and can be reached, then run again: nothing has to be cleaned up first.',
  },
  TARGET_REFUSED: {
    title: 'A database does not take the load',
    exitCode: exitCodes.usage,
    fix: 'Correct what the message names in the address, in the database or in what its user may do: a retry alone fails in the same way.',
  },
  LOCKED: {
    title: 'Another run holds the lock',
    exitCode: exitCodes.locked,
    fix: 'Run again when it has ended.',
  },
  INTERRUPTED: {
    title: 'The run was interrupted',
    exitCode: exitCodes.interrupted,
    fix: 'Run again: nothing has to be cleaned up first.',
  },
  UNEXPECTED: {
    title: 'An unexpected failure',
    exitCode: exitCodes.unexpected,
    fix: 'This is a defect in catalogue-etl: please report it with the text below.',
  },
} as const satisfies Record<string, ErrorDefinition>

export type ErrorCode = keyof typeof errorDefinitions

export interface CatalogueErrorOptions {
  readonly cause?: unknown
  /** What became of the outputs, in one sentence; set by whoever owns them. */
  readonly outputs?: string | undefined
  /** What it is, and what to try, where the words of the code don't fit. */
  readonly title?: string | undefined
  readonly fix?: string | undefined
}

/** The one error that ends a run. `message` says where: what is wrong, expected, got. */
export class CatalogueError extends Error {
  readonly code: ErrorCode
  /** What became of the outputs, in one sentence. */
  readonly outputs: string | undefined
  readonly title: string
  /** What to try. */
  readonly fix: string

  constructor(code: ErrorCode, message: string, options: CatalogueErrorOptions = {}) {
    requireCode(code)
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'CatalogueError'
    this.code = code
    this.outputs = options.outputs
    this.title = options.title ?? errorDefinitions[code].title
    this.fix = options.fix ?? errorDefinitions[code].fix
  }

  get exitCode(): number {
    return errorDefinitions[this.code].exitCode
  }

  /** The same error with more of what led to it. */
  withMore(text: string): CatalogueError {
    const { cause, outputs, title, fix } = this
    return new CatalogueError(this.code, this.message + text, { cause, outputs, title, fix })
  }

  withCause(cause: unknown): CatalogueError {
    const { code, message, outputs, title, fix } = this
    return new CatalogueError(code, message, { cause, outputs, title, fix })
  }

  /** The same error with what became of the outputs. */
  withOutputs(outputs: string): CatalogueError {
    const { cause, title, fix } = this
    return new CatalogueError(this.code, this.message, { cause, outputs, title, fix })
  }
}

/** Callers without types may make errors of their own. */
function requireCode(code: unknown): void {
  if (typeof code === 'string' && Object.hasOwn(errorDefinitions, code)) return
  const codes = Object.keys(errorDefinitions)
  const meant = formatSuggestion(closest(String(code), codes))
  const message = `CatalogueError: expected code to be one of ${codes.join(', ')}, got ${showValue(code)}${meant}`
  throw new CatalogueError('USAGE', message)
}

/** The end of work that was asked to stop. `work` is what was stopped, `where` how far it had come: ` after line 12`. */
export function interrupted(
  work: string,
  { where = '', ...options }: CatalogueErrorOptions & { readonly where?: string } = {},
): CatalogueError {
  return new CatalogueError('INTERRUPTED', `${work} was interrupted${where}`, options)
}

/**
 * Tests for an error of this or another realm: in Jest what Node throws is no instance of the `Error` that tests and the
 * code under test see.
 */
export function isError(thrown: unknown): thrown is Error {
  return types.isNativeError(thrown) || thrown instanceof Error
}

/** The message of an error; anything else that was thrown as text. */
export function messageOf(thrown: unknown): string {
  return isError(thrown) ? thrown.message : String(thrown)
}

/** Anything thrown, as a CatalogueError; what is none already becomes `UNEXPECTED`. */
export function toCatalogueError(thrown: unknown): CatalogueError {
  if (thrown instanceof CatalogueError) return thrown
  return new CatalogueError('UNEXPECTED', messageOf(thrown), { cause: thrown })
}

/** The code of an output that an operation of the system failed for: OUTPUT_FAILED only where another try may help. */
export function toOutputCode(thrown: unknown): 'OUTPUT_FAILED' | 'OUTPUT_REFUSED' {
  const { code, syscall } = (thrown ?? {}) as NodeJS.ErrnoException
  return syscall !== undefined && lastingFaults.has(code ?? '') ? 'OUTPUT_REFUSED' : 'OUTPUT_FAILED'
}

/** Faults of paths and permissions. On Windows a file that somebody has open gives EACCES or EPERM, too, which passes. */
const lastingFaults = new Set(
  ['ENOTDIR', 'EROFS', 'ENAMETOOLONG', 'EISDIR', 'ELOOP', 'EFBIG'].concat(
    process.platform === 'win32' ? [] : ['EACCES', 'EPERM'],
  ),
)
