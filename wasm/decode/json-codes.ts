// Codes in JSON text: always text, with the zeros that they have lost, several of them joined.
import { codeLength } from '../../src/kernel/program/node-layout'
import { emit, emitByte, emitNull } from './json-run'
import { wholeEnd } from './walk-numbers'
import { isDigits } from './walk-text'
import { at, skipBlanks, token } from './walk-tokens'

const separator: u32 = 0x7c

export function emitCode(node: usize, t: usize, p: usize): usize {
  const isText = at(p) == 0x22
  const from = isText ? p + 1 : p
  const to = isText ? token(t + 4) : wholeEnd(p)
  if (isText && !isPadded(node, from, to)) emit(p, to + 1)
  else {
    emitByte(0x22)
    emitPadded(node, from, to)
    emitByte(0x22)
  }
  return isText ? t + 8 : t
}

export function emitCodeList(node: usize, t: usize, p: usize): usize {
  if (at(token(t + 4)) == 0x5d && skipBlanks(p + 1) == token(t + 4)) {
    emitNull()
    return t + 8
  }
  emitByte(0x22)
  t += 4
  let end = p
  do {
    if (at(end) == 0x2c) emitByte(separator)
    p = skipBlanks(end + 1)
    const isText = at(p) == 0x22
    if (isText) emitPadded(node, p + 1, token(t + 4))
    else emitPadded(node, p, wholeEnd(p))
    if (isText) t += 8
    end = token(t)
    t += 4
  } while (at(end) == 0x2c)
  emitByte(0x22)
  return t
}

function isPadded(node: usize, from: usize, to: usize): bool {
  return to > from && to - from < (load<u32>(node, codeLength) as usize) && isDigits(from, to - from)
}

function emitPadded(node: usize, from: usize, to: usize): void {
  if (isPadded(node, from, to)) {
    for (let zeros = (load<u32>(node, codeLength) as usize) - (to - from); zeros > 0; zeros--) emitByte(0x30)
  }
  emit(from, to)
}
