import { closest } from '../messages/choices.ts'
import { showValue } from '../messages/show-value.ts'
import { endpointNames, isEndpointName } from './endpoints.ts'
import type { RequestProblem } from './request-issues.ts'

/** What is wrong with the name of an endpoint in a config, if anything; its path is empty. */
export function checkEndpointName(name: unknown): RequestProblem | undefined {
  if (typeof name === 'string' && isEndpointName(name)) return undefined
  const message = `unknown endpoint, expected one that "catalogue-etl endpoints" lists, got ${showValue(name)}`
  const suggestion = typeof name === 'string' ? closest(name, endpointNames) : undefined
  return { path: [], message, ...(suggestion === undefined ? {} : { suggestion }) }
}
