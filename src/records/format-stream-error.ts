import type { StreamError } from './parse-line.ts'

/** `expected a record, got an error line: 500 internal_error Something broke` */
export function formatStreamError({ status, code, message }: StreamError): string {
  const said = [status, code, message].filter((part) => part !== null).join(' ') || 'no reason'
  return `expected a record, got an error line: ${said}`
}
