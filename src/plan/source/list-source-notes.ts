import { defaultClientSettings } from '../../service/http/client-settings.ts'
import type { EndpointName } from '../../service/endpoints/endpoints.ts'
import { isLoopback } from '../../service/http/service-proxy.ts'
import { listRequestNotes } from '../../service/endpoints/list-request-notes.ts'
import type { CompletePipelineConfig } from '../../config/schemas/pipeline-schema.ts'
import { problemAt, type Problem } from '../../config/problem.ts'

type SourceConfig = CompletePipelineConfig['source']

export function listSourceNotes(source: SourceConfig, endpoint: EndpointName): Problem[] {
  const { baseUrl, filter, sorting, page, requestsPerMinute = 0 } = source
  const notes = listRequestNotes(endpoint, { filter, sorting }).map(
    ({ path, message, suggestion, isUnchecked }): Problem => {
      const note = { ...problemAt(['source', ...path], message, suggestion), ...(isUnchecked && { isUnchecked }) }
      return path[0] === 'endpoint' ? note : { ...note, atKey: true }
    },
  )
  if (baseUrl !== undefined && sendsInClear(baseUrl)) {
    const message = 'the key and its secret travel unencrypted over http, expected https'
    notes.push(problemAt(['source', 'baseUrl'], message))
  }
  if (requestsPerMinute > defaultClientSettings.requestsPerMinute) {
    const usual = defaultClientSettings.requestsPerMinute
    const message = `the specification allows ${usual} requests a minute, got ${requestsPerMinute}: the service refuses the others with 429`
    notes.push(problemAt(['source', 'requestsPerMinute'], message))
  }
  if ((page?.no ?? 0) > 0) {
    const message =
      'the pages before this one are left out, which makes the result incomplete: a run needs `completeness: report`'
    notes.push(problemAt(['source', 'page', 'no'], message))
  }
  return notes
}

function sendsInClear(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false
  const { protocol, hostname } = new URL(baseUrl)
  return protocol === 'http:' && !isLoopback(hostname)
}
