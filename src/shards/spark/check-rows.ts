import { CatalogueError, errorDefinitions, type ErrorCode } from '../../errors.ts'
import { formatNumbers } from '../commit/choose-attempts.ts'
import type { ShardRow } from './run-tasks.ts'

/**
 * Throws the errors of the shards that failed. The code, the advice and the exit code are those of the first lasting
 * failure, else of the first. Shards with the same message are named together.
 */
export function checkRows(rows: readonly ShardRow[]): void {
  const failed = rows.filter(({ exit_code: exitCode }) => exitCode !== 0).map((row) => ({ row, said: parseError(row) }))
  const [first] = failed.toSorted((one, other) => Number(isLasting(other.row)) - Number(isLasting(one.row)))
  if (first === undefined) return
  const lines = [...new Set(failed.map(({ said }) => said.message))].map((message) => {
    const alike = failed.filter(({ said }) => said.message === message).map(({ row }) => row)
    return `shard ${formatNumbers(alike.map(({ shard }) => shard))} on ${alike[0]!.host}: ${message}`
  })
  const { code, fix } = first.said
  throw new CatalogueError(code, lines.join('\n'), { outputs: 'Nothing was saved.', fix })
}

function isLasting({ exit_code: exitCode }: ShardRow): boolean {
  return exitCode === errorDefinitions.USAGE.exitCode
}

interface SaidError {
  readonly code: ErrorCode
  readonly message: string
  readonly fix?: string | undefined
}

/** Parses an error as `renderError` shows it: code and title, lines of the message, advice. */
function parseError({ exit_code: exitCode, attempt, stderr }: ShardRow): SaidError {
  if (exitCode === noCommand) return { code: 'PEER_MISSING', message: stderr, fix: installAdvice }
  const lines = stderr.split('\n')
  const start = lines.findLastIndex((line) => codeOf(line) !== null)
  const code = start === -1 ? null : codeOf(lines[start]!)
  if (code === null) {
    const ended = `expected exit code 0, got ${exitCode} at attempt ${attempt + 1}`
    return { code: 'OUTPUT_FAILED', message: stderr === '' ? ended : `${ended}: ${stderr}` }
  }
  const said = lines.slice(start + 1).map((line) => line.trim())
  const advice = said.findIndex((line) => line.startsWith('Try: '))
  return {
    code,
    message: said.slice(0, advice === -1 ? undefined : advice).join('\n'),
    fix: said[advice]?.slice('Try: '.length),
  }
}

/** The exit code of a shell for an unknown command. */
const noCommand = 127

const installAdvice =
  'Install catalogue-etl in this version on every machine of the cluster, or name the command there in CATALOGUE_ETL or --command.'

function codeOf(line: string): ErrorCode | null {
  const [word = ''] = line.split(' ')
  return Object.hasOwn(errorDefinitions, word) ? (word as ErrorCode) : null
}
