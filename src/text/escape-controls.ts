/**
 * Escapes text from data, a config or a server, so that a terminal shows it safely on one line. Characters that move
 * the cursor, change colors or the direction of reading, or are invisible become `\u{1b}`.
 */
export function escapeControls(text: string): string {
  return hidden.test(text) ? text.replaceAll(everyHidden, toEscape) : text
}

/** Escapes text that the program has laid out: line breaks and tabs are kept, and colors if it has put some in. */
export function escapeLayout(text: string, hasColors: boolean): string {
  return text.replaceAll(colorOrHidden, (found) => {
    if (found === '\n' || found === '\t') return found
    return hasColors && found.length > 2 ? found : escapeControls(found)
  })
}

/** Escapes these characters in JSON text, where they occur only in strings. */
export function escapeJson(json: string): string {
  return json.replaceAll(hiddenInJson, (found) =>
    found.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}

function toEscape(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

// Control characters, marks of direction, separators of lines, byte order marks, and halves of characters.
const hidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u
const everyHidden = new RegExp(hidden.source, 'gu')
// Bold and dim, red, green and yellow, and their ends: the only colors of the program.
const colorOrHidden = new RegExp(`\\u001b\\[(?:[12]|22|3[1-3]|39)m|${hidden.source}`, 'gu')
const hiddenInJson = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g
