import { escapeControls } from '../../messages/escape-controls.ts'

/** Text in lines of at most `width` columns: the first indented by `indent`, the others by `hanging`. */
export function wrapText(text: string, indent: number, width: number, hanging: number): string[] {
  const lines: string[] = []
  let line = ' '.repeat(indent)
  let isEmpty = true
  for (const [, space = '', word = ''] of escapeControls(text).matchAll(/(\s*)(\S+)/g)) {
    if (!isEmpty && line.length + space.length + word.length > width) {
      lines.push(line)
      line = ' '.repeat(hanging)
      isEmpty = true
    }
    line += isEmpty ? word : space + word
    isEmpty = false
  }
  return [...lines, line]
}
