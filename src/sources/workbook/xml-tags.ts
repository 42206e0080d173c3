/** A tag of an XML document with the text that follows it, up to the next tag. */
export interface XmlTag {
  /** Without a namespace prefix. */
  readonly name: string
  readonly isOpen: boolean
  readonly isClosed: boolean
  readonly text: string
  /** The value of an attribute, by its local name. */
  readonly attribute: (name: string) => string | undefined
}

/** The tags of XML as programs write it, in their order. Comments and declarations are left out. */
export function* readTags(xml: string): Generator<XmlTag> {
  const tags = /<(\/?)(?:[\w.-]+:)?([\w.-]+)((?:"[^"]*"|'[^']*'|[^>"'])*)>([^<]*(?:<!\[CDATA\[.*?\]\]>[^<]*)*)/gs
  for (const [, slash = '', name = '', rest = '', text = ''] of xml.replaceAll(/<!--.*?-->/gs, '').matchAll(tags)) {
    yield {
      name,
      isOpen: slash === '',
      isClosed: slash !== '' || rest.endsWith('/'),
      get text() {
        return decodeText(text)
      },
      attribute: (wanted) => findAttribute(rest, wanted),
    }
  }
}

function findAttribute(written: string, wanted: string): string | undefined {
  for (const [, name, double, single] of written.matchAll(/(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)) {
    if (name === wanted) return decodeEntities(double ?? single ?? '')
  }
  return undefined
}

function decodeText(text: string): string {
  if (!text.includes('<![CDATA[')) return decodeEntities(text)
  const parts = text.split(/<!\[CDATA\[(.*?)\]\]>/s)
  return parts.map((part, at) => (at % 2 === 0 ? decodeEntities(part) : part)).join('')
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name = '') => {
    if (hex !== undefined) return toCharacter(Number.parseInt(hex, 16))
    return decimal === undefined ? (entities[name as string] ?? whole) : toCharacter(Number(decimal))
  })
}

function toCharacter(code: number): string {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ''
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
