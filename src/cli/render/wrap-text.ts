import { escapeControls } from '../../text/escape-controls.ts'
import { widthOf } from '../../text/text-width.ts'

const widest = 80
const narrowest = 40

/** The columns for running text on a stream; a terminal that does not know its width says 0. */
export function toTextWidth(columns: number | undefined): number {
  return columns === undefined || columns < narrowest ? widest : Math.min(columns, widest)
}

/** Wraps text to lines of at most `width` columns: the first indented by `indent`, the others by `hanging`. */
export function wrapText(text: string, indent: number, width: number, hanging: number): string[] {
  const lines: string[] = []
  let line = ' '.repeat(indent)
  let isEmpty = true
  for (const [, space = '', word = ''] of escapeControls(text).matchAll(/(\s*)(\S+)/g)) {
    if (!isEmpty && widthOf(line) + space.length + widthOf(word) > width) {
      lines.push(line)
      line = ' '.repeat(hanging)
      isEmpty = true
    }
    line += isEmpty ? word : space + word
    isEmpty = false
  }
  return [...lines, line]
}
