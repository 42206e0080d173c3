import { lookup as lookUp, type LookupAddress, type LookupOptions } from 'node:dns'
import { BlockList, isIP, isIPv6 } from 'node:net'

/** Thrown for an address of a private network, this machine or no host. */
export class PrivateAddress extends Error {
  readonly code = 'PRIVATE_ADDRESS'

  constructor(host: string, address: string) {
    super(
      host === address
        ? `${address} is no public address (allowPrivate)`
        : `${host} leads to ${address}, no public address (allowPrivate)`,
    )
  }
}

/**
 * Ranges without hosts on the internet (IANA special-purpose registry). A common list would match IPv4 addresses
 * against IPv6 ranges.
 */
const reserved = { ipv4: new BlockList(), ipv6: new BlockList() }
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  reserved.ipv4.addSubnet(network, bits, 'ipv4')
// Global unicast is 2000::/3. These ranges within it are no ordinary hosts: Teredo and others, documentation, 6to4.
for (const [network, bits] of [
  ['::', 3],
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  reserved.ipv6.addSubnet(network, bits, 'ipv6')

/** Whether an address is on the internet. An IPv4 address inside an IPv6 one is judged by itself. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0) return false
  const inside = family === 4 ? address : findInside(address)
  return inside === null ? !reserved.ipv6.check(withoutZone(address), 'ipv6') : !reserved.ipv4.check(inside, 'ipv4')
}

/** The IPv4 address in a mapped (::ffff:0:0/96) or translated (64:ff9b::/96) address; null in others. */
function findInside(address: string): string | null {
  // The URL class normalizes IPv6 addresses, with the last part in hexadecimal.
  const [, last] =
    /^\[(?:::ffff|64:ff9b:):([0-9a-f:]+)\]$/.exec(new URL(`http://[${withoutZone(address)}]`).hostname) ?? []
  if (last === undefined) return null
  const groups = last.split(':').map((group) => Number.parseInt(group || '0', 16))
  if (groups.length > 2) return null
  const [high = 0, low = 0] = groups.length === 2 ? groups : [0, groups[0]]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}

function withoutZone(address: string): string {
  return address.replace(/%.*$/, '')
}

/**
 * Throws PrivateAddress if the host of a URL is a literal address that is not public: literal addresses are not looked
 * up.
 */
export function checkLiteralHost(url: URL): void {
  const host = toHost(url)
  if (!hasPublicHost(url)) throw new PrivateAddress(host, host)
}

/** Whether the host of a URL is a name or a public address. */
export function hasPublicHost(url: URL): boolean {
  const host = toHost(url)
  return isIP(host) === 0 || isPublicAddress(host)
}

function toHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** Throws PrivateAddress for a name of a private network, which a proxy would look up. */
export function checkLocalName({ hostname }: URL): void {
  // A trailing dot is the root of names: `localhost.` is `localhost`.
  const name = hostname.replace(/\.+$/, '')
  const isLocal = !name.includes('.') || /\.(?:localhost|local|internal|lan|home\.arpa)$/.test(name)
  if (isLocal && !isIPv6(hostname.slice(1, -1))) throw new PrivateAddress(hostname, hostname)
}

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void

/**
 * Looks a name up as sockets do, and fails if any of its addresses is not public. The socket connects to the checked
 * addresses, so a name that resolves differently a moment later changes nothing.
 */
export function lookUpPublic(host: string, options: LookupOptions, found: Found): void {
  lookUp(host, { ...options, all: true }, (error, addresses) => {
    const hidden = error === null ? addresses.find(({ address }) => !isPublicAddress(address)) : undefined
    const [first] = addresses ?? []
    if (error !== null) found(error, [])
    else if (hidden !== undefined) found(new PrivateAddress(host, hidden.address), [])
    else if (options.all === true) found(null, addresses)
    else found(null, first?.address ?? '', first?.family)
  })
}
