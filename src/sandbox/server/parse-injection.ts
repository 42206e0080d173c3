import { CatalogueError } from '../../errors.ts'
import { checkEndpointName } from '../../api/check-endpoint-name.ts'
import type { InjectOptions } from './fault-queue.ts'
import { parseFault } from './parse-fault.ts'
import { isServedEndpoint } from './served-endpoints.ts'

/**
 * A fault as a command line says it: `v4/products/stream cut=120`, for the first request to that endpoint; `cut=120`, for
 * the first one to any; with `x3` at the end for so many, up to 9999. Throws USAGE.
 */
export function parseInjection(text: string): InjectOptions {
  const words = text.trim().split(/\s+/)
  const endpoint = /^[^=]+\//.test(words[0] ?? '') ? words.shift() : undefined
  const times = /^x\d{1,4}$/.test(words.at(-1) ?? '') ? Number(words.pop()?.slice(1)) : 1
  const fault = words.join('')
  parseFault(fault)
  if (endpoint === undefined) return { fault, times }
  if (isServedEndpoint(endpoint)) return { endpoint, fault, times }
  const { message, suggestion } = checkEndpointName(endpoint) ?? {}
  const meant = suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
  throw new CatalogueError('USAGE', `fault "${text}": ${message}${meant}`)
}
