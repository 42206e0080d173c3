import type { Endpoint } from '../../service/endpoints/endpoint.ts'
import type { OperationNotOffered } from '../../service/endpoints/operations-not-offered.ts'
import type { Colors } from '../terminal.ts'
import { toTextWidth, wrapText } from './wrap-text.ts'

/** Renders every endpoint with its filters, sortings and assumptions, within 80 columns. */
export function renderEndpoints(
  offered: readonly Endpoint[],
  notOffered: readonly OperationNotOffered[],
  columns: number | undefined,
  colors: Colors,
): string {
  const width = toTextWidth(columns)
  const reasons = [...new Set(notOffered.map(({ reason }) => reason))]
  return [
    colors.bold(`Offered for reading: ${offered.length} endpoints`),
    ...offered.flatMap((endpoint) => renderEndpoint(endpoint, width, colors)),
    '',
    colors.bold(`Named by the specification and not offered: ${notOffered.length} operations`),
    ...reasons.flatMap((reason) => renderReason(reason, notOffered, width)),
    '',
    ...wrapText('Users are created with `catalogue-etl users create` (POST /v4/users/create).', 0, width, 0),
  ].join('\n')
}

export function renderSome(
  offered: readonly Endpoint[],
  notOffered: readonly OperationNotOffered[],
  columns: number | undefined,
  colors: Colors,
): string {
  const width = toTextWidth(columns)
  const refused = notOffered.map(({ name, reason }) => [
    '',
    ...wrapText(`${name} is not offered: ${reason}`, 0, width, 0),
  ])
  return [...offered.map((endpoint) => renderEndpoint(endpoint, width, colors)), ...refused].flat().slice(1).join('\n')
}

const labelWidth = 12

function renderEndpoint(endpoint: Endpoint, width: number, colors: Colors): string[] {
  const { name, method, contract, read, filters, sortings, openKeys, deprecated, assumption } = endpoint
  const more = openKeys ? ['and others, unchecked'] : []
  return [
    '',
    `${colors.bold(name)}  ${method}, read as ${read}`,
    ...renderMember('contract', contract ?? 'none', width),
    ...renderMember(
      'filters',
      [...Object.keys(filters), ...(endpoint.filter === 'none' ? [] : more)].join(', '),
      width,
    ),
    ...renderMember(
      'sortings',
      [...Object.keys(sortings), ...(endpoint.sorting === 'none' ? [] : more)].join(', '),
      width,
    ),
    ...renderMember('deprecated', deprecated ?? '', width),
    ...renderMember('assumption', assumption ?? '', width),
  ]
}

function renderMember(label: string, text: string, width: number): string[] {
  return text === '' ? [] : wrapText(`${label.padEnd(labelWidth - 1)} ${text}`, 2, width, 2 + labelWidth)
}

function renderReason(reason: string, operations: readonly OperationNotOffered[], width: number): string[] {
  const own = operations.filter((operation) => operation.reason === reason)
  return ['', ...wrapText(reason, 0, width, 0), ...own.map(({ method, path }) => `  ${method.padEnd(4)} ${path}`)]
}
