import { isError } from '../../../errors.ts'
import { cutText } from '../../../text/cut-text.ts'

/** An error of the driver in words, and whether the next run can succeed. */
export interface PostgresFailure {
  /** Words of the server or the system on one line, with the detail and, within a COPY, the place. */
  readonly said: string
  /** Five characters; null for errors that are not from the server. */
  readonly sqlState: string | null
  readonly isLasting: boolean
}

export function describePostgresFailure(thrown: unknown): PostgresFailure {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return describePostgresFailure(thrown.errors[0])
  if (!isError(thrown)) return { said: String(thrown), sqlState: null, isLasting: false }
  const { code, detail, where } = thrown as ServerError
  const parts = [thrown.message, detail, where].filter((part) => part !== undefined && part !== '')
  const said = `${parts.map((part) => toOneLine(String(part))).join('; ')}${code === undefined ? '' : ` (${code})`}`
  const sqlState = readSqlState(thrown)
  const isLasting = sqlState === null ? isLastingInClient(thrown) : isLastingState(sqlState) || isPoolerRefusal(thrown)
  return { said, sqlState, isLasting }
}

/** Null for errors that are not from the server: codes of the system, such as EPIPE, come without a severity. */
export function readSqlState(thrown: unknown): string | null {
  const { code, severity } = (thrown ?? {}) as ServerError
  return severity !== undefined && code !== undefined ? code : null
}

export function toOneLine(text: string): string {
  return cutText(text.replaceAll(/\s+/g, ' ').trim(), longest)
}

const longest = 300

interface ServerError {
  readonly code?: string
  readonly severity?: string
  readonly detail?: string
  readonly where?: string
}

function isLastingState(sqlState: string): boolean {
  return lastingStates.has(sqlState) || (lastingClasses.has(sqlState.slice(0, 2)) && !passingStates.has(sqlState))
}

/*
 * Classes of SQLSTATE that a repetition does not change. The others pass: lost connections (08), rollbacks and deadlocks
 * (40), full disks and too many connections (53), locks (55), stops and timeouts (57), the system (58), inner errors (XX).
 */
const lastingClasses = new Set('0A 0L 0P 21 22 23 25 26 28 2B 2F 38 39 3B 3D 3F 42 44 54 F0 HV P0'.split(' '))
/**
 * Passing states of lasting classes: timeouts of idle sessions and of transactions, and the state after another
 * failure.
 */
const passingStates = new Set(['25P02', '25P03', '25P04'])
/**
 * Lasting states of other classes: a limit on temporary files, an object in another state, a dropped database, damaged
 * data.
 */
const lastingStates = new Set(['53400', '55000', '57P04', 'XX001', 'XX002'])

/** pgbouncer has one SQLSTATE for all refusals, also passing ones. */
function isPoolerRefusal({ message }: Error): boolean {
  return message.startsWith('unsupported startup parameter')
}

/** Errors before the server answers: certificates, TLS that it does not offer, files of the URL, a missing password. */
function isLastingInClient(error: Error): boolean {
  const { code = '' } = error as ServerError
  if (/^(?:ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|ENOENT$|EACCES$)/.test(code)) return true
  return code === '' && /^SASL|does not support SSL/.test(error.message)
}
