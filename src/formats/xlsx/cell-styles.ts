import { decimalSheetStyles } from '../../types/decimal.ts'
import { type PlainKind, plainKinds, typeOf } from '../../types/column-types.ts'

/*
 * The formats of cells, as positions in `cellXfs` of the style sheet, which is the same in every workbook.
 */

export const generalStyle = 0
export const headerStyle = 1
/** The format of text: edited cells stay text, so a code keeps its zeros. */
const textFormat = 49

/**
 * Number formats by position: a built-in number (0 general, 1 whole numbers, 49 text) or the code of a custom format.
 * Formats of further types come last, so that the others keep their positions.
 */
const formats: readonly (number | string)[] = [
  0,
  textFormat,
  ...new Set([
    1,
    textFormat,
    ...formatsOf('date'),
    ...formatsOf('timestamp'),
    ...decimalSheetStyles,
    ...plainKinds.flatMap(formatsOf),
  ]),
]

function formatsOf(kind: PlainKind): (number | string)[] {
  const { sheet } = typeOf({ kind })
  return [sheet?.style, sheet?.exact?.style].filter((style) => style !== undefined && style !== 0) as (
    number | string
  )[]
}

export function toStyle(format: number | string): number {
  return format === 0 ? generalStyle : formats.indexOf(format, headerStyle + 1)
}

export const textStyle = toStyle(textFormat)

/** The width of formatted times in characters, by position: it does not depend on the value. */
export const shownWidths: ReadonlyMap<number, number> = new Map(
  formats.flatMap((format, style) =>
    typeof format === 'string' && /[a-z]/.test(format) ? [[style, format.replaceAll('\\', '').length] as const] : [],
  ),
)

/** `xl/styles.xml` */
export function formatStyles(): string {
  const codes = formats.filter((format) => typeof format === 'string')
  const codeFormats = codes.map((code, index) => `<numFmt numFmtId="${firstCode + index}" formatCode="${code}"/>`)
  const styles = formats.map((format, style) =>
    formatStyle(typeof format === 'string' ? firstCode + codes.indexOf(format) : format, style),
  )
  return (
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    `<numFmts count="${codes.length}">${codeFormats.join('')}</numFmts>` +
    `<fonts count="2"><font>${face}</font><font><b/>${face}</font></fonts>` +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${styles.length}">${styles.join('')}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
    '</styleSheet>'
  )
}

const face = '<sz val="11"/><name val="Calibri"/><family val="2"/>'
/** Lower numbers are built-in formats. */
const firstCode = 164

function formatStyle(format: number, style: number): string {
  const font = style === headerStyle ? ' fontId="1" applyFont="1"' : ' fontId="0"'
  return `<xf numFmtId="${format}"${font} fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`
}
