import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, extname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * True if tests with LibreOffice are left out, as it is not installed. With CATALOGUE_REQUIRE_LIBREOFFICE=1, as in CI,
 * they then fail.
 */
export const skipsLibreOffice =
  process.env.CATALOGUE_REQUIRE_LIBREOFFICE !== '1' &&
  !(process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'soffice')))

/** A cell as LibreOffice holds it: numbers and days are no text, whatever the settings show them as. */
export interface OfficeCell {
  readonly type: 'text' | 'number' | 'boolean' | 'date' | 'empty'
  /** Text, or the value without the settings of a country: `-1234.5`, `2026-01-02`, `true`. */
  readonly value: string
}

export interface OfficeOptions {
  /** The settings of the country, such as nl-BE. */
  readonly locale: string
  /** The options of LibreOffice's filter for reading, such as `CSV:59,34,76,1`. */
  readonly filter?: string
}

/** The sheets of a file by name, each a list of rows, as LibreOffice with the settings of a country opens it. */
export async function openInLibreOffice(path: string, options: OfficeOptions): Promise<Map<string, OfficeCell[][]>> {
  const [sheets] = await openAllInLibreOffice([path], options)
  return sheets ?? new Map()
}

/** The same of several files, whose names differ: it takes seconds to start. */
export async function openAllInLibreOffice(
  paths: readonly string[],
  options: OfficeOptions,
): Promise<Map<string, OfficeCell[][]>[]> {
  const folder = await mkdtemp(join(tmpdir(), 'libre-office-'))
  try {
    const converted = await convertAll(paths, { ...options, to: 'fods', folder })
    return await Promise.all(converted.map(async (each) => parseSheets(await readFile(each, 'utf8'))))
  } finally {
    await rm(folder, { recursive: true })
  }
}

export interface ConvertOptions extends OfficeOptions {
  /** The format, such as `fods` or `csv:Text - txt - csv (StarCalc):44,34,76,1`. */
  readonly to: string
  /** The settings and the result go here. */
  readonly folder: string
}

/** Converts a file, and gives the path of the result, which has the same name with another ending. */
export async function convertInLibreOffice(path: string, options: ConvertOptions): Promise<string> {
  const [converted = ''] = await convertAll([path], options)
  return converted
}

async function convertAll(paths: readonly string[], options: ConvertOptions): Promise<string[]> {
  const { folder, filter, to } = options
  const profile = await writeProfile(folder, options.locale)
  const reading = filter === undefined ? [] : [`--infilter=${filter}`]
  const profileUrl = `-env:UserInstallation=file://${profile}`
  await run('soffice', [profileUrl, '--headless', ...reading, '--convert-to', to, '--outdir', folder, ...paths])
  const [format] = to.split(':')
  return paths.map((path) => join(folder, `${basename(path, extname(path))}.${format}`))
}

async function writeProfile(folder: string, locale: string): Promise<string> {
  const profile = join(folder, 'profile')
  await mkdir(join(profile, 'user'), { recursive: true })
  const settings = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>${locale}</value></prop></item>
</oor:items>`
  await writeFile(join(profile, 'user', 'registrymodifications.xcu'), settings)
  return profile
}

function parseSheets(document: string): Map<string, OfficeCell[][]> {
  const sheets = [...document.matchAll(/<table:table table:name="([^"]*)"[^>]*>(.*?)<\/table:table>/gs)]
  return new Map(sheets.map(([, name = '', content = '']) => [unescapeXml(name), parseRows(content)]))
}

/** Empty rows at the end, which a sheet has to its last line, are left out. */
function parseRows(content: string): OfficeCell[][] {
  const rows = [...content.matchAll(/<table:table-row[^>]*?(?:\/>|>(.*?)<\/table:table-row>)/gs)]
  const cells = rows.map(([, row = '']) => parseCells(row))
  return cells.slice(0, cells.findLastIndex((row) => row.length > 0) + 1)
}

function parseCells(row: string): OfficeCell[] {
  const pattern = /<table:table-cell([^>]*?)(?:\/>|>(.*?)<\/table:table-cell>)/gs
  const cells = [...row.matchAll(pattern)].flatMap(([, attributes = '', content = '']) => {
    const repeated = Number(attributeOf(attributes, 'number-columns-repeated') ?? 1)
    return Array.from({ length: Math.min(repeated, 1000) }, () => parseCell(attributes, content))
  })
  return cells.slice(0, cells.findLastIndex(({ type }) => type !== 'empty') + 1)
}

function parseCell(attributes: string, content: string): OfficeCell {
  const type = types[attributeOf(attributes, 'value-type') ?? ''] ?? 'empty'
  const paragraphs = [...content.matchAll(/<text:p[^>]*?(?:\/>|>(.*?)<\/text:p>)/gs)]
  const text = paragraphs.map(([, paragraph = '']) => unescapeXml(paragraph.replaceAll(/<[^>]*>/g, ''))).join('\n')
  const value = ['value', 'date-value', 'boolean-value'].map((name) => attributeOf(attributes, name))
  return { type, value: type === 'text' ? text : (value.find((each) => each !== undefined) ?? '') }
}

const types: Readonly<Record<string, OfficeCell['type']>> = {
  string: 'text',
  float: 'number',
  currency: 'number',
  percentage: 'number',
  boolean: 'boolean',
  date: 'date',
}

function attributeOf(attributes: string, name: string): string | undefined {
  return new RegExp(`\\b(?:office|table):${name}="([^"]*)"`).exec(attributes)?.[1]
}

function unescapeXml(text: string): string {
  const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name] ?? '')
}
