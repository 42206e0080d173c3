/** Text of at most `most` UTF-16 units before an ellipsis; never cut within a character. */
export function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, characterStart(text, most))}…`
}

/** The index, or the one before it if it is between the halves of a character. */
export function characterStart(text: string, index: number): number {
  const code = text.charCodeAt(index)
  return index > 0 && code >= 0xdc00 && code <= 0xdfff ? index - 1 : index
}
