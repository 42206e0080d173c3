/*
 * The formats of cells, as positions in `cellXfs` of the style sheet, which is the same in every workbook.
 */

export const generalStyle = 0
export const headerStyle = 1
export const integerStyle = 2
/** Text that is edited stays text: a code keeps its zeros. */
export const textStyle = 3
export const dateStyle = 4
export const timestampStyle = 5
/** With milliseconds. */
export const exactTimestampStyle = 6

/** The style of decimals with this many digits behind the point, at most `mostDecimals`. */
export function toDecimalStyle(scale: number): number {
  return firstDecimalStyle + scale
}

/** Number formats have no more. */
export const mostDecimals = 30
const firstDecimalStyle = 7

/** `xl/styles.xml` */
export function formatStyles(): string {
  const decimals = Array.from({ length: mostDecimals + 1 }, (_, scale) =>
    scale === 0 ? '0' : `0.${'0'.repeat(scale)}`,
  )
  const codes = ['yyyy\\-mm\\-dd', 'yyyy\\-mm\\-dd hh:mm:ss', 'yyyy\\-mm\\-dd hh:mm:ss.000', ...decimals]
  const formats = codes.map((code, index) => `<numFmt numFmtId="${firstCode + index}" formatCode="${code}"/>`)
  const builtIn = [0, headerFormat, 1, 49]
  const styles = [...builtIn, ...codes.map((_, index) => firstCode + index)].map(formatStyle)
  return (
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    `<numFmts count="${codes.length}">${formats.join('')}</numFmts>` +
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
/** Numbers below are those of formats that every program has: 0 general, 1 whole numbers, 49 text. */
const firstCode = 164
const headerFormat = 49

function formatStyle(format: number, style: number): string {
  const font = style === headerStyle ? ' fontId="1" applyFont="1"' : ' fontId="0"'
  return `<xf numFmtId="${format}"${font} fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`
}
