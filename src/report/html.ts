import { escapeControls } from '../text/escape-controls.ts'

/** HTML that is sound: made by `html`, or by hand. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Text and numbers are escaped, lists joined; null, undefined and false are nothing. */
export type HtmlPart = Html | string | number | null | undefined | false | readonly HtmlPart[]

/**
 * A template of HTML. Every value is escaped, in text as in an attribute between double quotes; what can't be seen or
 * changes the direction of reading is shown as `\u{202e}`.
 */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  const pieces = compact(strings)
  let text = pieces[0] ?? ''
  for (let at = 0; at < parts.length; at++) text += toText(parts[at]) + pieces[at + 1]
  return new Html(text)
}

const compacted = new WeakMap<TemplateStringsArray, readonly string[]>()

/** The pieces without the indentation that they have in a source: one line break is as good as many spaces. */
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

/** Text for an element, or for an attribute between double quotes. */
export function escapeText(text: string): string {
  return isPlain.test(text) ? text : escapeHtml(escapeControls(text))
}

/** Printable ASCII without the characters that are escaped: most text. */
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
