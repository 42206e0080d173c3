/** Products with codes in every form that lists and records have them in, of a small pool, so that many are shared. */
export function writeMessyProducts(count: number, seed: number): string {
  let state = seed
  const next = (most: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
  const pick = <Item>(items: readonly Item[]): Item => items[next(items.length)] as Item
  const toMess = (digits: string): unknown => {
    const bare = digits.replace(/^0+(?=\d)/, '')
    const middle = Math.max(1, Math.floor(bare.length / 2))
    const forms = [digits, bare, Number(bare), ` ${digits} `, `${bare}.0`, `="${digits}"`, `'${digits}`, `00${digits}`]
    const printed = [`${bare.slice(0, middle)}-${bare.slice(middle)}`, `${bare.slice(0, middle)} ${bare.slice(middle)}`]
    return pick([...forms, ...printed, digits, digits])
  }
  const garbage = [null, '', '1', 1, 'null', '0000000', 'n/a', '123456789012345678', 'M34C', []]
  const toCode = (length: number, pool: number): unknown => {
    if (next(5) === 0) return pick(garbage)
    const digits = String(100_000 + next(pool) * 37).padStart(length - 1, '4006381333931'.slice(0, length - 1))
    const code = next(9) === 0 ? '0'.repeat(length - 6) + digits.slice(-6) : digits + String(next(10))
    return next(6) === 0 ? [toMess(code), toMess(code)] : toMess(code)
  }
  const lines = Array.from({ length: count }, (_, at) => {
    const id = next(40) === 0 && at > 0 ? `P${next(at)}` : `P${at}`
    const status = pick(['active', 'active', 'inactive', 'replaced', null])
    const cnk = toCode(7, count)
    const ean = next(3) === 0 ? [toCode(13, count), toCode(8, count)].flat() : toCode(13, count)
    const others = next(2) === 0 ? {} : { eanGtin13: toCode(13, count), gtin: toCode(14, count) }
    const market =
      next(3) === 0 ? { pzn: toCode(8, count), cip13: toCode(13, count), artgId: pick([' A-1', 'B', 7]) } : {}
    return JSON.stringify({ id, status, cnk, ean, ...others, ...market })
  })
  return lines.map((line) => `${line}\n`).join('')
}
