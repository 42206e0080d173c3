import { isError } from '../../../errors.ts'
import { cutText } from '../../../text/cut-text.ts'

/** An error of the driver in words, and whether the next run can succeed. */
export interface MariadbFailure {
  /** Words of the server or the system on one line. */
  readonly said: string
  /** Null for errors that are not from the server. */
  readonly code: number | null
  readonly isLasting: boolean
}

export function describeMariadbFailure(thrown: unknown): MariadbFailure {
  if (!isError(thrown)) return { said: String(thrown), code: null, isLasting: false }
  const { code: name = '', errno, sqlState, sqlMessage } = thrown as ServerError
  const code = sqlState === undefined || errno === undefined ? null : errno
  const said = `${toOneLine(sqlMessage ?? thrown.message)}${code === null ? name && ` (${name})` : ` (${code})`}`
  const isLasting = code === null ? isLastingInClient(thrown as ServerError) : !passing.has(code)
  return { said, code, isLasting }
}

export function toOneLine(text: string): string {
  return cutText(text.replaceAll(/\s+/g, ' ').trim(), 300)
}

/** A lock was waited for longer than the session does. */
export const lockWaitTimeout = 1205

interface ServerError {
  readonly code?: string
  readonly errno?: number
  readonly sqlState?: string
  readonly sqlMessage?: string
  readonly syscall?: string
}

/**
 * Errors of the server that may pass: full disks and memory (1021, 1037, 1038, 1041, 1114), too many connections (1040, 1129,
 * 1203, 1226), stops (1053, 1317, 1927, 3024, 1969), networks (1158 to 1161), a failed commit (1180), locks and deadlocks (1205,
 * 1213), a row that another transaction changed (1020), idle sessions (4031), a server that only reads while another one takes
 * over (1290, 1836), or that has yet to join its cluster (1047).
 */
const passing: ReadonlySet<number> = new Set([
  1020, 1021, 1037, 1038, 1040, 1041, 1047, 1053, 1114, 1129, 1158, 1159, 1160, 1161, 1180, 1203, 1205, 1213, 1226,
  1290, 1317, 1836, 1927, 1969, 3024, 4031,
])

/**
 * Errors before the server answers: certificates, TLS that it does not offer, ways to log in that the driver lacks, and files of
 * the address.
 */
function isLastingInClient({ code = '', syscall }: ServerError): boolean {
  if (code === 'ENOENT' && syscall === 'open') return true
  return /^(?:ERR_TLS|ERR_SSL|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_|HANDSHAKE_(?:NO_)?SSL|AUTH_SWITCH_PLUGIN_ERROR|EACCES$)/.test(
    code,
  )
}
