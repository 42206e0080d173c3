import { escapeControls } from '../text/escape-controls.ts'

/** Safe HTML, made by `html` or written by hand. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Text and numbers are escaped, lists joined; null, undefined and false are left out. */
export type HtmlPart = Html | string | number | null | undefined | false | readonly HtmlPart[]

/**
 * A template of HTML. Escapes all values, both for text and for attributes in double quotes. Invisible characters and
 * those that change the direction of text are shown as `\u{202e}`.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  const pieces = compact(strings)
  let text = pieces[0] ?? ''
  for (let at = 0; at < parts.length; at++) text += toText(parts[at]) + pieces[at + 1]
  return new Html(text)
}

const compacted = new WeakMap<TemplateStringsArray, readonly string[]>()

/** Drops the indentation of the source: one line break is as good as many spaces. */
function compact(strings: TemplateStringsArray): readonly string[] {
  const known = compacted.get(strings)
  if (known !== undefined) return known
  const pieces = strings.map((piece) => piece.replaceAll(/\s*\n\s*/g, '\n'))
  compacted.set(strings, pieces)
  return pieces
}

function toText(part: HtmlPart): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') {
    let text = ''
    for (const each of part) text += toText(each)
    return text
  }
  return typeof part === 'number' ? String(part) : escapeText(part)
}

/** Escapes text for an element, or for an attribute in double quotes. */
export function escapeText(text: string): string {
  return isPlain.test(text) ? text : escapeHtml(escapeControls(text))
}

/** Matches most text: printable ASCII without characters to escape. */
const isPlain = /^[ !#-%(-;=?-~]*$/

function escapeHtml(text: string): string {
  return text.replaceAll(/["&'<>]/g, (character) => entities[character] ?? '')
}

const entities: Readonly<Record<string, string>> = {
  '"': '&quot;',
  '&': '&amp;',
  "'": '&#39;',
  '<': '&lt;',
  '>': '&gt;',
}
