/** The address of a database, with the credentials in it, which nothing that prints objects shows. */
export class DatabaseUrl {
  readonly #text: string

  constructor(text: string) {
    this.#text = withListedHosts(text)
  }

  /** The address with its credentials, for connecting. */
  get text(): string {
    return this.#text
  }

  /** Without credentials and parameters but the service, for messages: `postgres://db.example.com:5432/warehouse`. */
  get shown(): string {
    const { protocol, host, pathname, searchParams } = new URL(this.#text)
    const hosts = this.hosts.map((each) => [each.host, each.port].filter((part) => part !== '').join(':'))
    const service = searchParams.get('service')
    return `${protocol}//${hosts.length > 0 ? hosts.join(',') : host}${pathname}${service === null ? '' : `?service=${service}`}`
  }

  /** The name of the database. */
  get database(): string {
    return decode(new URL(this.#text).pathname.slice(1))
  }

  /** Several servers, as the parameters `host` and `port` list them; none if the address names one. */
  get hosts(): { readonly host: string; readonly port: string }[] {
    const { searchParams } = new URL(this.#text)
    const names = searchParams.get('host')?.split(',') ?? []
    const ports = searchParams.get('port')?.split(',') ?? []
    return names.length < 2 ? [] : names.map((host, at) => ({ host, port: ports[at] ?? ports[0] ?? '' }))
  }

  toJSON(): string {
    return this.shown
  }
}

/** `postgres://ana@one:5432,two/db` as `postgres://ana@one:5432/db?host=one,two&port=5432,`, as only the latter is a URL. */
function withListedHosts(text: string): string {
  const parts = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*,[^/?#@]*)(.*)$/.exec(text)
  const [, before = '', list = '', after = ''] = parts ?? []
  const hosts = list.split(',').map((host) => /^(\[[^\]]+\]|[^:[\]]+)(?::(\d+))?$/.exec(host))
  if (parts === null || hosts.includes(null) || !URL.canParse(`${before}host${after}`)) return text
  const url = new URL(`${before}${hosts[0]?.[1]}${after}`)
  url.searchParams.set('host', hosts.map((host) => host?.[1]?.replaceAll(/[[\]]/g, '')).join(','))
  url.searchParams.set('port', hosts.map((host) => host?.[2] ?? '').join(','))
  return url.href
}

/** A part of an address without its `%` escapes; unchanged if they are none. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
