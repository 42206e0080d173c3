import type { ColumnTypeDefinition } from './column-type-definition.ts'
import { decimalNumber, isNumeric, isUnclear, toSmallest } from './exact-number-text.ts'
import { isKeptBySheets } from './integer.ts'
import { compareDigits } from './canonical-text.ts'

/** An exact number of `precision` digits, `scale` of them after the point. */
export interface DecimalType {
  readonly kind: 'decimal'
  readonly precision: number
  readonly scale: number
}

/** Parses `decimal(12,2)`; null for any other text. */
export function parseDecimal(written: string): DecimalType | null {
  const [, precision, scale] = /^decimal\(\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(written)?.map(Number) ?? []
  return precision === undefined || scale === undefined ? null : { kind: 'decimal', precision, scale }
}

/** Parquet stores decimals in 32 bits up to 9 digits, in 64 up to 18, and in as many bytes as needed beyond. */
export function defineDecimal({ precision, scale }: DecimalType): ColumnTypeDefinition<number | bigint> {
  const format = (value: number | bigint): string => formatDecimal(value, scale)
  return {
    name: `decimal(${precision},${scale})`,
    form: 'number',
    from: { text: 'converted', integer: 'converted', float: 'converted' },
    money: 'units',
    isOpaque: false,
    namesFolders: false,
    compared: () => ({ kind: 'decimal', scale }),

    compileConversion:
      (_, { unitScale }) =>
      (value) =>
        toUnscaled(value, precision, scale, unitScale),
    format,
    formatJson: (value) => `"${format(value)}"`,
    parseCanonical: toSmallest,
    compare: compareDigits,
    showCanonical: (canonical) => format(toSmallest(canonical)),
    toRow: format,

    measure: { of: 'numbers', decimals: scale, toMeasured: BigInt, toCanonical: String },
    storage: { kind: 'int128', precision },
    parquet: {
      physical: precision <= 9 ? 'int32' : precision <= 18 ? 'int64' : 'fixedLenByteArray',
      ...(precision > 18 && { length: countBytes(precision) }),
      converted: { id: 5, scale, precision },
      logical: { id: 5, fields: [scale, precision] },
    },
    arrow: {
      id: 7,
      fields: [
        { kind: 'int', value: precision },
        { kind: 'int', value: scale },
        { kind: 'int', value: 128 },
      ],
    },
    sheet:
      scale > mostSheetScale
        ? null
        : { style: formatSheetStyle(scale), toNumber: (value) => (isKeptBySheets(value) ? format(value) : null) },
    sql: {
      postgres: `numeric(${precision},${scale})`,
      duckdb: `DECIMAL(${precision},${scale})`,
      spark: `DECIMAL(${precision},${scale})`,
      snowflake: `NUMBER(${precision},${scale})`,
      bigquery: `${scale <= 9 && precision - scale <= 29 ? 'NUMERIC' : 'BIGNUMERIC'}(${precision}, ${scale})`,
      redshift: `DECIMAL(${precision},${scale})`,
      clickhouse: `Nullable(Decimal(${precision},${scale}))`,
      mariadb: `decimal(${precision},${scale})`,
    },
    jsonSchema: { type: 'string', pattern: `^-?[0-9]+(\\.[0-9]{${scale}})?$` },
    tableSchema: 'number',
    cellKind: 7,
  }
}

const mostSheetScale = 30

function formatSheetStyle(scale: number): string {
  return scale === 0 ? '0' : `0.${'0'.repeat(scale)}`
}

export const decimalSheetStyles = Array.from({ length: mostSheetScale + 1 }, (_, scale) => formatSheetStyle(scale))

function formatDecimal(unscaled: number | bigint, scale: number): string {
  const text = String(unscaled)
  if (scale === 0) return text
  const sign = text.startsWith('-') ? '-' : ''
  const digits = text.slice(sign.length).padStart(scale + 1, '0')
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** The value as an unscaled integer with `scale` decimals; undefined if digits would be lost. */
function toUnscaled(value: unknown, precision: number, scale: number, unitScale: number): number | bigint | undefined {
  if (isUnclear(value)) return undefined
  const text = isNumeric(value) ? String(value) : typeof value === 'string' ? value : ''
  const match = decimalNumber.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = BigInt(whole + fraction)
  const shift = scale - unitScale - fraction.length + Number(exponent)
  if (Math.abs(shift) > 400) return undefined
  const unscaled = shift >= 0 ? digits * 10n ** BigInt(shift) : dividedExactly(digits, 10n ** BigInt(-shift))
  if (unscaled === undefined || unscaled >= 10n ** BigInt(precision)) return undefined
  return toSmallest(sign === '-' ? -unscaled : unscaled)
}

function dividedExactly(digits: bigint, divisor: bigint): bigint | undefined {
  return digits % divisor === 0n ? digits / divisor : undefined
}

/** The bytes that hold every signed number of this many digits. */
function countBytes(precision: number): number {
  return Math.ceil((Math.log2(10) * precision + 1) / 8)
}
