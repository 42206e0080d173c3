import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { runPipeline } from '../../src/engine/run/run-pipeline.ts'
import { CatalogueError } from '../../src/errors.ts'
import type { Issue } from '../../src/records/reject.ts'

const folder = fileURLToPath(new URL('../../fixtures/lines/', import.meta.url))
const outDir = await mkdtemp(join(tmpdir(), 'hostile-lines-'))
const documented = parseTable(await readFile(join(folder, 'README.md'), 'utf8'))

afterAll(() => rm(outDir, { recursive: true }))

test('the table of hostile inputs names every file', async () => {
  const files = (await readdir(folder)).filter((name) => name !== 'README.md')
  expect(documented.map(({ file }) => file).toSorted()).toEqual(files.toSorted())
})

describe('a hostile input', () => {
  test.each(documented)(
    'a hostile input has the outcome that its table documents, and its rejects are the lines as they came: $file',
    async ({ file, outcome, says }) => {
      const { rejects, ...result } = await runFile(join(folder, file))
      expect(result).toEqual({ outcome, says })
      if (file.startsWith('document') || outcome.startsWith('exit')) return
      const bytes = await readBytes(join(folder, file))
      for (const { line, byteOffset, raw, rawBase64 } of rejects) {
        const expected = raw === undefined ? Buffer.from(rawBase64 ?? '', 'base64') : Buffer.from(raw)
        expect(bytes.subarray(byteOffset).compare(expected, 0, expected.length, 0, expected.length)).toBe(0)
        expect(bytes.subarray(byteOffset + expected.length).toString('latin1')).toMatch(/^\r?(?:\n|$)/)
        expect(bytes.subarray(0, byteOffset).toString('latin1').split('\n')).toHaveLength(line)
      }
    },
  )
})

interface RejectLine {
  readonly line: number
  readonly byteOffset: number
  readonly issues: readonly Issue[]
  readonly raw?: string
  readonly rawBase64?: string
}

interface FileOutcome {
  readonly outcome: string
  readonly says: string
  readonly rejects: readonly RejectLine[]
}

/** The outcome of the lines of a file, and what is reported, as the table writes them. */
async function runFile(path: string): Promise<FileOutcome> {
  try {
    const { ledger, completeness, rejects } = await runPipeline(
      {
        name: 'lines',
        source: { files: path, contract: 'v4/product' },
        completeness: 'report',
        tables: { products: {}, product_photos: { each: 'photos[]' } },
        outputs: [{ format: 'ndjson', path: `out/${basename(path)}/{table}.ndjson` }],
        rejects: { limit: '100%' },
      },
      { outDir },
    )
    const lines = (await readFile(rejects.path, 'utf8')).split('\n').slice(0, -1)
    const rejected = lines.map((line) => JSON.parse(line) as RejectLine)
    const issues = rejected.flatMap((reject) => reject.issues.slice(0, 1))
    const fates = (['accepted', 'rejected', 'blank'] as const).filter((fate) => ledger[fate] > 0)
    const counts = fates.map((fate) => `${fate} ${ledger[fate]}`).join(', ') || 'no line'
    const codes = [...new Set(issues.map(({ code }) => code))].join(', ')
    const outcome = [counts, completeness.status, codes].filter((part) => part !== '').join('; ')
    const messages = issues.slice(0, 1).map(({ message }) => message)
    return { outcome, says: [...completeness.reasons, ...messages].join(' / '), rejects: rejected }
  } catch (error) {
    if (!(error instanceof CatalogueError)) throw error
    const says = error.message.replace(path, basename(path))
    return { outcome: `exit ${error.exitCode} ${error.code}`, says, rejects: [] }
  }
}

async function readBytes(path: string): Promise<Buffer> {
  const bytes = await readFile(path)
  return path.endsWith('.gz') && bytes[0] === 0x1f ? gunzipSync(bytes) : bytes
}

interface Documented {
  readonly file: string
  readonly outcome: string
  readonly says: string
}

/** The rows `| file | holds | outcome | says |`. */
function parseTable(text: string): Documented[] {
  const rows = text.split('\n').filter((line) => line.startsWith('| `'))
  return rows.map((row) => {
    const [file = '', , outcome = '', says = ''] = row
      .slice(1, -1)
      .split(' | ')
      .map((cell) => cell.trim())
    return { file: file.replaceAll('`', ''), outcome, says }
  })
}
