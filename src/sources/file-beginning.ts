/** Looks for the byte order mark that some shells write when they redirect output into a file. */
export function isUtf16(head: Buffer): boolean {
  return head.length >= 2 && (head.readUInt16BE() === 0xfeff || head.readUInt16LE() === 0xfeff)
}

/**
 * True for a list, and for an object that begins with `results`, possibly after `meta`. Lines of records never
 * begin like that.
 */
export function looksLikeDocument(head: Buffer): boolean {
  for (const bytes of beginnings) {
    const beginning = head.toString('utf8', 0, bytes).replace(/^\uFEFF/, '')
    if (documentStart.test(beginning)) return true
    if (bytes >= head.length || otherStart.test(beginning)) return false
  }
  return false
}

/** Most files show it in the first 1024 bytes. */
const beginnings = [1024, 65_536]
const members = /\{\s*(?:"meta"\s*:\s*(?:null|\{(?:[^{}]|\{[^{}]*\})*\})\s*,\s*)?/.source
const documentStart = new RegExp(String.raw`^\s*(?:\[|${members}"results"\s*:)`)
const otherStart = new RegExp(String.raw`^\s*${members}"(?!meta"|results")\w*"`)
