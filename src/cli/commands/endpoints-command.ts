import { Command } from 'commander'
import { describeEndpoint, type EndpointDescription } from '../../api/describe-endpoint.ts'
import { endpoints } from '../../api/endpoints.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { type OperationNotOffered, operationsNotOffered } from '../../api/operations-not-offered.ts'
import { renderEndpoints } from '../render/render-endpoints.ts'
import { colorsFor, print, writeJson, type Terminal } from '../terminal.ts'

export function createEndpointsCommand(terminal: Terminal): Command {
  return new Command('endpoints')
    .description(
      'Lists what the service offers for reading, with assumptions, and what is not offered, with the reason.',
    )
    .option('--json', 'write the list as JSON: first what is offered, then what is not')
    .addHelpText('after', '\nExample:\n  $ catalogue-etl endpoints')
    .action(({ json }: { json?: true }) => {
      const all: Endpoint[] = Object.values(endpoints)
      if (json) writeJson(terminal, [...all.map(toOffered), ...operationsNotOffered.map(toNotOffered)])
      else
        print(
          terminal,
          renderEndpoints(all, operationsNotOffered, terminal.stdout.columns, colorsFor(terminal.stdout, terminal.env)),
        )
    })
}

interface OperationJson extends Omit<EndpointDescription, 'read' | 'contract'> {
  /** Null of an operation that is not offered. */
  readonly contract: EndpointDescription['contract'] | null
  readonly offered: boolean
  /** The reason why it is not offered; null where it is. */
  readonly reason: string | null
  readonly read: EndpointDescription['read'] | null
}

function toOffered(endpoint: Endpoint): OperationJson {
  return { ...describeEndpoint(endpoint), offered: true, reason: null }
}

/** The members of an endpoint all the same, for programs that read the list by them. */
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
