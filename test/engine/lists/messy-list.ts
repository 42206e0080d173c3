/** A catalogue and a list of its codes as shops have them, the same for the same seed. */
export function makeMessyList(products: number, lines: number) {
  const random = mulberry(7)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const records = makeRecords(products, random, pick)
  const list = Array.from({ length: lines }, (_, at) => {
    const cnk = random() < 0.75 ? messCnk(pick(records).cnk, pick) : pick(['', 'null', ' ', '12', 'x-9', '9876543'])
    const ean =
      random() < 0.6 ? messEan(pick(records).ean[0], random, pick) : pick(['', 'null', '', '5,41E+12', '5413000999990'])
    const record = pick(records)
    const isOfOne = random() < 0.5
    const cells = isOfOne ? [messCnk(record.cnk, pick), messEan(record.ean.at(-1), random, pick)] : [cnk, ean]
    return [...cells, `th\u00e9 ${at}`, `${at % 100},50`].join(';')
  })
  const repeats = list.slice(0, Math.floor(lines / 50))
  return { records, list: [...list.slice(repeats.length), ...repeats] }
}

type Random = () => number
type Pick = <Item>(items: readonly Item[]) => Item

interface MadeRecord {
  readonly id: string
  readonly status: string
  readonly cnk: string | undefined
  readonly ean: readonly string[]
  readonly replacement?: string
  readonly publicPrice: number | string
}

/** Some codes are on several products; some products are replaced, in chains, circles and by nothing that is there. */
function makeRecords(count: number, random: Random, pick: Pick): MadeRecord[] {
  const records: MadeRecord[] = []
  for (let at = 0; at < count; at++) {
    const status = pick(['active', 'active', 'active', 'active', 'inactive', 'replaced'])
    const shared = records.length > 0 && random() < 0.1 ? pick(records) : undefined
    const other = records.length > 0 && random() < 0.1 ? pick(records) : undefined
    const replacement = pick([`M${Math.floor(random() * count)}`, `M${Math.max(0, at - 1)}`, 'GONE', undefined])
    const isRejected = status === 'active' && random() < 0.02
    records.push({
      id: `M${at}`,
      status,
      cnk:
        shared?.cnk ?? (random() < 0.9 ? String(Math.floor(random() * 9_990_000) + 1000).padStart(7, '0') : undefined),
      ean: [
        other?.ean[0] ?? withDigit(`54${String(Math.floor(random() * 1e10)).padStart(10, '0')}`),
        ...(random() < 0.2 ? [withDigit(`0${at + 1_000_000}`)] : []),
      ],
      ...(status === 'replaced' && replacement !== undefined && { replacement }),
      publicPrice: isRejected ? 'on request' : Math.floor(random() * 10_000),
    })
  }
  return records.map((record, at) => {
    // Every 97th product and the one after it replace each other.
    if (at % 97 > 1 || at === count - 1) return record
    return { ...record, status: 'replaced', publicPrice: 100, replacement: `M${at % 97 === 0 ? at + 1 : at - 1}` }
  })
}

function messCnk(cnk: string | undefined, pick: Pick): string {
  if (cnk === undefined) return pick(['', 'null', 'NULL'])
  return pick([
    cnk,
    String(Number(cnk)),
    `${cnk.slice(0, 4)}-${cnk.slice(4)}`,
    `${cnk.slice(0, 4)} ${cnk.slice(4)}`,
    `${Number(cnk)}.0`,
    `'${cnk}`,
    ` ${cnk} `,
  ])
}

function messEan(ean: string | undefined, random: Random, pick: Pick): string {
  if (ean === undefined) return ''
  const wrong = ean.slice(0, -1) + String((Number(ean.at(-1)) + 1) % 10)
  return pick([ean, ean, String(Number(ean)), `0${ean}`.slice(0, 14), `${Number(ean)}.0`, random() < 0.5 ? wrong : ean])
}

/** GS1: weights 3 and 1 from the right. */
function withDigit(digits: string): string {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, at) => total + Number(digit) * (at % 2 === 0 ? 3 : 1), 0)
  return digits + String((10 - (sum % 10)) % 10)
}

function mulberry(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
