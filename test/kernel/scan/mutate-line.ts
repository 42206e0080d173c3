/** Draws a number from 0 to below `below`; the same seed gives the same numbers. */
export type Draw = (below: number) => number

export function createDraw(seed: number): Draw {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** Changes a line: its bytes, or as often its values, or repeats keys. */
export function mutateLine(line: Buffer, draw: Draw): Buffer {
  if (draw(6) === 0) return repeatKeys(line, draw)
  return draw(2) === 0 ? mutateBytes(line, draw) : mutateValues(line, draw)
}

/** Repeats keys in objects at any depth, some in another spelling. */
export function repeatKeys(line: Buffer, draw: Draw): Buffer {
  const value: unknown = JSON.parse(line.toString())
  // Few objects, so that most records still meet their contract.
  const rarity = 1 + draw(30)
  const write = (part: unknown): string => {
    if (typeof part !== 'object' || part === null) return JSON.stringify(part)
    if (Array.isArray(part)) return `[${part.map(write).join(',')}]`
    const entries = Object.entries(part)
    const members = entries.map(([key, member]) => `${writeKey(key, draw)}:${write(member)}`)
    for (let times = draw(rarity) === 0 ? 1 + draw(2) : 0; times > 0 && entries.length > 0; times--) {
      const [key, member] = pick(entries, draw)
      const text = draw(2) === 0 ? write(member) : pick(['null', '"a"', '{"a":1,"a":2}', '[]'], draw)
      members.splice(draw(members.length + 1), 0, `${writeKey(key, draw)}${pick(['', ' ', '\t'], draw)}:${text}`)
    }
    return `{${members.join(',')}}`
  }
  return Buffer.from(write(value))
}

/** Writes a key, seldom with an escape. */
function writeKey(key: string, draw: Draw): string {
  if (draw(60) > 0 || key === '') return JSON.stringify(key)
  const first = key.charCodeAt(0).toString(16).padStart(4, '0')
  return `"\\u${first}${JSON.stringify(key.slice(1)).slice(1)}`
}

function mutateBytes(line: Buffer, draw: Draw): Buffer {
  const at = draw(line.length + 1)
  const piece = Buffer.from(pick(pieces, draw), 'latin1')
  switch (draw(7)) {
    case 0:
      return Buffer.concat([line.subarray(0, at), line.subarray(at + 1 + draw(4))])
    case 1:
      return Buffer.concat([line.subarray(0, at), Buffer.from([draw(256)]), line.subarray(at + 1)])
    case 2:
      return line.subarray(0, at)
    case 3:
      return Buffer.concat([line.subarray(0, at), piece, line.subarray(at)])
    case 4:
      return insertAfter(line, pick(['"', ':', ',', '{', '[', '}', ']'], draw), piece, draw)
    case 5:
      return replaceAt(line, pick(['null', 'true', '":"', '},{', '"}', '1', '0', ',"'], draw), piece, draw)
    default: {
      const [from, to] = [at, draw(line.length + 1)].toSorted((a, b) => a - b)
      return Buffer.concat([line.subarray(0, to), line.subarray(from)])
    }
  }
}

function insertAfter(line: Buffer, sign: string, piece: Buffer, draw: Draw): Buffer {
  const found = line.indexOf(sign, draw(line.length))
  return Buffer.concat([line.subarray(0, found + 1), piece, line.subarray(found + 1)])
}

function replaceAt(line: Buffer, sought: string, piece: Buffer, draw: Draw): Buffer {
  const found = line.indexOf(sought, draw(line.length))
  return found < 0 ? line : Buffer.concat([line.subarray(0, found), piece, line.subarray(found + sought.length)])
}

function mutateValues(line: Buffer, draw: Draw): Buffer {
  const record = JSON.parse(line.toString()) as unknown
  const places = listPlaces(record)
  for (let times = 1 + draw(3); times > 0; times--) {
    const { holder, key } = pick(places, draw)
    const values = holder as Record<string, unknown>
    switch (draw(6)) {
      case 0:
        if (!Array.isArray(holder)) Reflect.deleteProperty(holder, key)
        break
      case 1:
        if (!Array.isArray(holder)) values[pick(keys, draw)] = parseValue(pick(valueTexts, draw))
        break
      case 2:
        values[key] = [values[key]]
        break
      case 3:
        if (Array.isArray(values[key])) values[key] = (values[key] as unknown[])[0]
        else values[key] = [values[key], values[key]]
        break
      case 4:
        reverseMembers(values)
        break
      default:
        values[key] = parseValue(pick(valueTexts, draw))
    }
  }
  const text = JSON.stringify(record, null, draw(6) === 0 ? '\t' : '').replaceAll('\n', draw(2) === 0 ? ' ' : '\r')
  // Numbers in a form that JSON.stringify does not write.
  return Buffer.from(text.replaceAll(/"@([^"]*)@"/g, '$1'))
}

/** Reverses the members of objects. JSON text has them in the order of the contract. */
function reverseMembers(values: Record<string, unknown>): void {
  if (Array.isArray(values)) return
  for (const [name, value] of Object.entries(values).toReversed()) {
    Reflect.deleteProperty(values, name)
    values[name] = value
  }
}

interface ValuePlace {
  readonly holder: object
  readonly key: string
}

function listPlaces(value: unknown): ValuePlace[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => [{ holder: value, key }, ...listPlaces(member)])
}

/** Text between `@` becomes a part of the line unchanged. */
function parseValue(text: string): unknown {
  try {
    return JSON.stringify(JSON.parse(text)) === text ? JSON.parse(text) : `@${text}@`
  } catch {
    return `@${text}@`
  }
}

function pick<Value>(values: readonly Value[], draw: Draw): Value {
  return values[draw(values.length)] as Value
}

const keys = [
  'displayOrder',
  'locales',
  '7',
  '07',
  '-7',
  '__unknown',
  '*',
  'de',
  'nl',
  'fr',
  'en_AU',
  '',
  '__proto__',
  'id',
  'name',
  'meta',
  'result',
  'error',
  'formats',
  'unkeyed',
  'x'.repeat(40),
  'ünïcode',
  'a"b',
  'toString',
  'html',
]

const valueTexts = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '-1',
  '7',
  '123456',
  '1.5',
  '1.50',
  '0.1',
  '-0.5',
  '0.0',
  '-0.0',
  '5.0',
  '01',
  '1.',
  '.5',
  '+1',

  '1e3',
  '1E+2',
  '1e-7',
  '0.000001',
  '0.0000001',
  '1e400',
  '123456789012345',
  '1234567890123456',
  '9007199254740993',

  '-62135596800',
  '-62135596801',
  '253402300799',
  '253402300800',
  '123.456789012345678',
  '100000000000000000000',
  'nul',
  'tru',
  'NaN',

  '""',
  '"a"',
  '"12"',
  '"0"',
  '"active"',
  '"packshot"',
  '"sold out"',
  '"true"',
  '"a\\nb"',
  '"\\u00e9\\u20ac\\u0000"',
  '"\\ud83d\\ude00"',
  '"\\ud800"',
  '"\\x"',
  '"\\u12"',
  '"é€😀"',
  '"\\b\\f\\n\\r\\t\\"\\\\\\/"',
  '"\\u001f\\u001F\\u0008\\u0022\\u005c\\u007f\\u2028"',
  '"1234567890123456"',

  '"5"',
  '"-5"',
  '"-0"',
  '"05"',
  '"5 "',
  '"1767225600"',
  '"253402300800"',
  '"10.2"',
  '"10.20"',
  '"-0.0"',
  '"0.0000001"',
  '"1e5"',
  '"9223372036854775807"',
  '"9223372036854775808"',
  '"0.1234567890123456789"',
  '{"value":"north","label":"North"}',
  '{"label":null,"value":"north"}',
  '{"value":5}',
  '{"label":"N\\u00e9","value":"x"}',
  '{"label":"a","label":null}',
  '{"label":"a","code":1}',
  '{ }',

  '[]',
  '[[]]',
  '[null]',
  '["a"]',
  '["a",null]',
  '[1,"2"]',
  '"a|b"',
  '[1,"a|b"]',
  '["", "3"]',
  '[{}]',
  '[[1,"2"],3]',
  '{}',
  '{"nl":"x"}',
  '{"nl":"","fr":"y"}',
  '{"*":"x"}',
  '{"\\\\*":"x","nl":"y"}',
  '{"de":"x","de":null}',

  '{"nl":null,"de":"z","en_AU":"q"}',
  '{"id":5}',
  '{"id":5,"id":6}',
  '{"nl":{"html":"h","markdown":""}}',
  '{"large":"u","unkeyed":["v"]}',
  '["nl","en"]',
  '["*"]',
  '{"b":1,"a":"\\u0041","7":[]}',
  '{"b":1.50,"a":-0.0,"b":2}',
  '{"x":{"__proto__":1,"toString":[{},[],""]}}',
  '{"x":{"\\u0061":1,"a":2}}',
  '{"updatedAt":1,"createdAt":2,"zz":{"y":[1, 2.0]},"aa":null}',
  '{"deep":[[[{"a":[1.0,-2e5,true]}]]]}',
]

const pieces = [
  '"displayOrder":2,',
  '"locales":["fr"],',
  '"createdAt":5,',
  '"',
  '\\',
  '\\"',
  '\\\\',
  ',',
  ':',
  '{',
  '}',
  '[',
  ']',
  ' ',
  '\t',
  '\r',
  '\n',
  '\0',
  '\f',
  '\x1f',
  '\x7f',
  '\xff',
  '\xc3',
  '\xc3\xa9',
  '\xed\xa0\x80',

  'null',
  'true',
  '0',
  '-',
  '.',
  'e',
  '1',
  '-0',
  '00',
  '1e5',
  '"x":1,',
  ',"x":[]',
  '"a":1,"a":2,',
  '"id":"q",',
  '{"a":1}',
  '"\\u0041"',
  '\\u00e9',
  '\\ud83d',
  '/',
  '\\/',

  '"__proto__":1,',
  '"error":1,',
  '"result":1,',
  '"meta":{},',
  ',,',
  '{}',
  '[]',
  '""',
  '\xef\xbb\xbf',
  '\x1a',
  '\x0c',
]
