import { readdirSync, readFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown, type Plugin } from 'rolldown'

/**
 * Writes the command line and its worker threads to a folder such as `dist`, as few files, dependencies included: to
 * load 475 modules one by one takes 0.2 of the 0.5 s of CPU time of a small run.
 */
export async function bundleCli(folder: string): Promise<void> {
  const bundle = await rolldown({
    cwd: root,
    input: { cli: 'src/cli.ts', 'encode-worker': 'src/encode/encode-worker.ts' },
    platform: 'node',
    external,
    plugins: [yamlModules, filesBeside],
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    // Two folders below the package, as the sources are: they look for its files from there.
    entryFileNames: ({ name }) => (name === 'cli' ? 'cli.js' : `bundle/${name}.js`),
    chunkFileNames: 'bundle/[name]-[hash].js',
    codeSplitting: { groups },
  })
  await bundle.close()
  await chmod(join(folder, 'cli.js'), 0o755)
}

/**
 * Each with all that these modules import: a run and its worker threads load few files. Left to itself the bundler
 * would share what they have in common with other commands out over dozens of files.
 */
const groups = [
  { name: 'encoding', test: /src\/encode\/encode-(?:block|group)\.ts$/, priority: 3 },
  { name: 'plain-path', test: /src\/records\/process-block\.ts$/, priority: 2 },
  { name: 'run', test: /src\/cli\/(?:run-cli|commands\/run-command)\.ts$/, priority: 1 },
]

const root = fileURLToPath(new URL('../', import.meta.url))

/** These find files of their own by their place, may be absent, or serve runs that are not in a hurry. */
const external = [
  '@bokuweb/zstd-wasm',
  '@aws-sdk/client-s3',
  /^@duckdb\//,
  'jiti',
  'pg',
  'pg-copy-streams',
  'pino',
  'undici',
]

const yamlFolder = join(dirname(createRequire(import.meta.url).resolve('yaml')), '..')

/**
 * `yaml` as modules, of which what nobody uses is left out. For Node it has CommonJS only, all of which every run would
 * load; warnings are those for Node all the same.
 */
const yamlModules: Plugin = {
  name: 'yaml modules',
  resolveId(source, importer = '') {
    if (source === 'yaml') return join(yamlFolder, 'browser/dist/index.js')
    const isLog = source.endsWith('/log.js') && importer.startsWith(join(yamlFolder, 'browser'))
    return isLog ? join(yamlFolder, 'dist/log.js') : null
  },
}

/** The WebAssembly modules, and the licences of what is included. */
const filesBeside: Plugin = {
  name: 'files beside',
  generateBundle() {
    const folders = [...this.getModuleIds()].flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? [])
    const licenses = [...new Set(folders)].toSorted().map(readLicense)
    this.emitFile({ type: 'asset', fileName: 'bundle/LICENSES.txt', source: licenses.join('\n') })
    for (const module of ['src/scan/scan.wasm', 'src/formats/parquet/pages.wasm']) {
      this.emitFile({ type: 'asset', fileName: `bundle/${basename(module)}`, source: readFileSync(join(root, module)) })
    }
  },
}

function readLicense(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name))
  if (file === undefined) throw new Error(`${folder}: expected the text of its licence, got none`)
  return `${basename(folder)}\n\n${readFileSync(join(folder, file), 'utf8')}`
}
