/**
 * Decodes UTF-8, or else the code page that has letters where the text does: Windows-1252 or, of old programs, DOS code
 * page 850. Delimiters, quotes and digits are the same in all.
 */
export function decodeListBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Some programs put a byte order mark before text of another encoding.
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
    const plain = hasMark ? bytes.subarray(3) : bytes
    return isOfDos(plain) ? decodeDos(plain) : new TextDecoder('windows-1252').decode(plain)
  }
}

/** Whether more of the bytes beside letters are letters in the DOS code page than in Windows-1252. */
function isOfDos(bytes: Uint8Array): boolean {
  let dos = 0
  let windows = 0
  for (const [at, byte] of bytes.entries()) {
    if (byte < 0x80 || !(isLetter(bytes[at - 1]) || isLetter(bytes[at + 1]))) continue
    if (byte <= 0x9a || (byte >= 0xa0 && byte <= 0xa5)) dos++
    else if (byte >= 0xc0) windows++
  }
  return dos > windows
}

function isLetter(byte = 0): boolean {
  return (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)
}

function decodeDos(bytes: Uint8Array): string {
  const characters = Array.from(bytes, (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : dosCharacters.charAt(byte - 0x80),
  )
  return characters.join('')
}

/** Code page 850, from 0x80. */
const dosCharacters =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00AD±‗¾¶§÷¸°¨·¹³²■\u00A0'
