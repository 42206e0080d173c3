import type { LineScan } from '../scan/line-scan.ts'

/** What a stage asks about scanned lines, made once for every scan that its lines come from: there may be several. */
export function perScan<Ask>(compile: (scan: LineScan) => Ask): (scan: LineScan) => Ask {
  const asks = new WeakMap<LineScan, Ask>()
  return (scan) => {
    const known = asks.get(scan)
    if (known !== undefined) return known
    const ask = compile(scan)
    asks.set(scan, ask)
    return ask
  }
}
