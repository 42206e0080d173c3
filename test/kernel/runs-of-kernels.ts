import { rm } from 'node:fs/promises'
import { generateLines } from '../../src/sandbox/data/generate-lines.ts'
import { BuiltCli } from '../cli/built-cli.ts'
import { RunFolder } from '../cli/run-folder.ts'

const oddLines = [
  '{"meta":{"total":9,"index":0},"result":{"id":"A","name":{"nl":"een","fr":"u\\u006e","zz":"x"},"unknown":[{"a":1.50}]}}',
  '{"result":{"id":"B","cnk":"0012345","photos":[{"id":1},{"id":"two"}]}}',
  '{"id":"C","prices":[{"price":9007199254740993}],"vat":1e400}',
  '{"id":"D","name":"a\\ud83d\\ude00b \\ud83d","cnk":12}',
  '{"id":"E",',
  '{"id":"F","name":{"nl":"\u0001"}}',
  '\t{ "id" : "G" , "deletedAt" : 253402300800 } ',
]

interface KernelOptions {
  readonly workers?: number
  readonly node?: readonly string[]
}

/** Runs the built command over the same products and odd lines, with every format of files. */
export class RunsOfKernels {
  readonly cli: BuiltCli
  readonly folder: RunFolder
  readonly config: string

  private constructor(cli: BuiltCli, folder: RunFolder, config: string) {
    this.cli = cli
    this.folder = folder
    this.config = config
  }

  static async create(records: number): Promise<RunsOfKernels> {
    const [cli, folder] = await Promise.all([BuiltCli.build(), RunFolder.create()])
    const products = Buffer.concat([...generateLines({ contract: 'v4/product', records, seed: 5 })])
    await folder.write('products.ndjson', Buffer.concat([products, Buffer.from(`${oddLines.join('\n')}\n`)]))
    const config = await folder.write(
      'all.yaml',
      JSON.stringify({
        name: 'all',
        source: { files: folder.at('products.ndjson'), contract: 'v4/product' },
        completeness: 'report',
        rejects: { limit: 20 },
        outputs: ['parquet', 'csv', 'ndjson'].map((format) => ({ format, path: `out/{table}.${format}` })),
      }),
    )
    return new RunsOfKernels(cli, folder, config)
  }

  async run(kernel: string, { workers = 0, node }: KernelOptions = {}) {
    await rm(this.folder.out, { recursive: true, force: true })
    const options = { cwd: this.folder.path, env: { CATALOGUE_KERNEL: kernel }, ...(node && { node }) }
    const args = ['run', this.config, '--json', '--quiet', '--workers', String(workers)]
    const { code, stdout, stderr } = await this.cli.start(args, options).end()
    if (code !== 0) throw new Error(`expected the run to succeed, got ${code}: ${stderr}`)
    const { runs } = JSON.parse(stdout) as { runs: { report: { tool: { kernel: string }; runId: string } }[] }
    const outputs = await this.folder.readOutputs()
    const tables = Object.entries(outputs).filter(([name]) => /\.(?:parquet|csv|ndjson)$/.test(name))
    return { tool: runs[0]?.report.tool.kernel, runId: runs[0]?.report.runId, tables }
  }
}
