import { describeEndpoint, type EndpointDescription } from '../../../service/endpoints/describe-endpoint.ts'
import { endpoints } from '../../../service/endpoints/endpoints.ts'
import type { Endpoint } from '../../../service/endpoints/endpoint.ts'
import { type OperationNotOffered, operationsNotOffered } from '../../../service/endpoints/operations-not-offered.ts'
import { CatalogueError } from '../../../errors.ts'
import { closest } from '../../../text/choices.ts'
import { defineCommand } from '../../command.ts'
import { argument, flag } from '../../parameter.ts'
import { renderEndpoints, renderSome } from '../../render/render-endpoints.ts'
import { colorsFor, print, writeJson } from '../../terminal.ts'

export const endpointsCommand = defineCommand({
  description: 'Lists what the service offers for reading: with assumptions, and what is not offered, with the reason.',
  otherNames: ['list', 'filters', 'api'],
  arguments: { names: argument('[endpoint...]', 'only these, such as v4/products/stream; default all') },
  options: { json: flag('write the list as JSON: first what is offered, then what is not') },
  examples: ['catalogue-etl endpoints', 'catalogue-etl endpoints v4/products/stream v4/products/query'],
  run({ names, json }, terminal) {
    const { offered, notOffered } = chooseOperations(names)
    if (json) writeJson(terminal, [...offered.map(toOffered), ...notOffered.map(toNotOffered)])
    else {
      const render = names.length === 0 ? renderEndpoints : renderSome
      print(terminal, render(offered, notOffered, terminal.stdout.columns, colorsFor(terminal.stdout, terminal.env)))
    }
  },
})

/** The operations with these names; all if there are none. Throws USAGE for an unknown name. */
function chooseOperations(names: readonly string[]) {
  const all: Endpoint[] = Object.values(endpoints)
  if (names.length === 0) return { offered: all, notOffered: operationsNotOffered }
  const known = [...all, ...operationsNotOffered].map(({ name }) => name)
  const wrong = names.find((name) => !known.includes(name))
  if (wrong !== undefined) {
    const near = closest(wrong, known)
    const hint = near === undefined ? '' : `; did you mean "${near}"?`
    const message = `unknown endpoint "${wrong}", expected one that "catalogue-etl endpoints" lists${hint}`
    throw new CatalogueError('USAGE', message)
  }
  const isAsked = ({ name }: { readonly name: string }): boolean => names.includes(name)
  return { offered: all.filter(isAsked), notOffered: operationsNotOffered.filter(isAsked) }
}

interface OperationJson extends Omit<EndpointDescription, 'read' | 'contract'> {
  /** Null if the operation is not offered. */
  readonly contract: EndpointDescription['contract'] | null
  readonly offered: boolean
  /** Why the operation is not offered; null if it is. */
  readonly reason: string | null
  readonly read: EndpointDescription['read'] | null
}

function toOffered(endpoint: Endpoint): OperationJson {
  return { ...describeEndpoint(endpoint), offered: true, reason: null }
}

/** Has all members of an endpoint, for programs that read the list. */
function toNotOffered({ name, method, path, reason }: OperationNotOffered): OperationJson {
  return {
    name,
    method,
    path,
    contract: null,
    read: null,
    needs: { filter: 'none', sorting: 'none', page: 'none' },
    filters: {},
    sortings: [],
    assumption: null,
    deprecated: null,
    offered: false,
    reason,
  }
}
