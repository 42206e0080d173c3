import { Command } from 'commander'
import Table from 'cli-table3'
import { describeEndpoint } from '../../api/describe-endpoint.ts'
import { endpoints } from '../../api/endpoints.ts'
import type { Endpoint } from '../../api/endpoint.ts'
import { print, writeJson, type Terminal } from '../terminal.ts'

export function createEndpointsCommand(terminal: Terminal): Command {
  return new Command('endpoints')
    .description('Lists what the service offers for reading, with contract, filters and sortings.')
    .option('--json', 'write the list as JSON')
    .addHelpText('after', '\nExample:\n  $ catalogue-etl endpoints')
    .action(({ json }: { json?: true }) => {
      const all: Endpoint[] = Object.values(endpoints)
      if (json) writeJson(terminal, all.map(describeEndpoint))
      else print(terminal, renderEndpoints(all))
    })
}

function renderEndpoints(all: readonly Endpoint[]): string {
  const table = new Table({
    head: ['endpoint', 'method', 'contract', 'read as', 'filters', 'sortings'],
    style: { head: [], border: [] },
    // Names are there to be copied: never cut.
    colWidths: [Math.max(...all.map(({ name }) => name.length)) + 2, 8, 24, 9, 50, 26],
    wordWrap: true,
  })
  for (const { name, method, contract, read, filters, sortings } of all) {
    table.push([
      name,
      method,
      contract ?? '(not shown)',
      read,
      Object.keys(filters).join(', '),
      Object.keys(sortings).join(', '),
    ])
  }
  return table.toString()
}
