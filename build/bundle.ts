import { readdirSync, readFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve as resolvePath, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown, type Plugin } from 'rolldown'
import packageJson from '../package.json' with { type: 'json' }
import { absentModules, collectPackages, resolve, writeLicenses } from './bundled-packages.ts'
import { minifiedModules } from './minify.ts'
import { scriptChunks } from './script-chunks.ts'

/**
 * Writes the command line, its worker threads and the entries of the library to a folder such as `dist`, as few files, with
 * the packages that every run loads: to load 475 modules one by one takes 0.2 of the 0.5 s of CPU time of a small run.
 * Resolves with the folders of these packages.
 */
export async function bundle(folder: string): Promise<ReadonlySet<string>> {
  const packages = await bundleEntries(folder, entries, groups)
  await writeLicenses(join(folder, 'bundle'), packages)
  await chmod(join(folder, 'cli.js'), 0o755)
  return packages
}

/** The same for modules by name, as files of `bundle/`; resolves with the folders of the packages in them. */
export async function bundleEntries(
  folder: string,
  input: Readonly<Record<string, string>>,
  files: { name: string; test: RegExp; priority: number }[] = [],
): Promise<Set<string>> {
  const packages = new Set<string>()
  const adapted = [absentModules, commander, requiredFiles, binaryFiles]
  const plugins = [...adapted, scriptChunks, minifiedModules, collectPackages(packages)]
  const checks = { pluginTimings: false }
  const modules = await rolldown({ cwd: root, input, platform: 'node', external, plugins, resolve, checks })
  await modules.write({
    dir: folder,
    format: 'esm',
    // Two folders below the package, as the sources are: they look for its files from there.
    entryFileNames: ({ name }) => (name === 'cli' ? 'cli.js' : `bundle/${name}.js`),
    chunkFileNames: 'bundle/[name]-[hash].js',
    codeSplitting: { groups: files },
    comments: { legal: true, annotation: false, jsdoc: false },
    sourcemap: 'hidden',
    sourcemapPathTransform: (source, map) => relative(root, resolvePath(dirname(map), source)).replaceAll(sep, '/'),
  })
  await modules.close()
  await Promise.all(Object.keys(required).map((name) => bundleRequired(name, folder, packages)))
  return packages
}

/** Together they would share a chunk. */
async function bundleRequired(name: string, folder: string, packages: Set<string>): Promise<void> {
  const plugins = [collectPackages(packages)]
  const modules = await rolldown({
    cwd: root,
    input: { [name]: required[name] ?? '' },
    platform: 'node',
    plugins,
    resolve,
  })
  await modules.write({
    dir: join(folder, 'bundle'),
    format: 'cjs',
    entryFileNames: '[name].cjs',
    exports: 'named',
    minify: true,
  })
  await modules.close()
}

const entries = {
  cli: 'src/cli.ts',
  'encode-worker': 'src/kernel/encode/encode-worker.ts',
  index: 'src/index.ts',
  streams: 'src/streams.ts',
  sandbox: 'src/sandbox.ts',
  users: 'src/users.ts',
}

/**
 * Each with all that these modules import: a run and its worker threads load few files. Left to itself the bundler
 * would share what they have in common with other commands out over dozens of files.
 */
const groups = [
  { name: 'encoding', test: /src\/kernel\/encode\/encode-block\.ts$/, priority: 4 },
  { name: 'run', test: /src\/(?:engine\/run\/run|config\/define)-pipeline\.ts$/, priority: 2 },
  { name: 'manifests', test: /src\/manifest\/former-schema\.ts$/, priority: 1 },
  { name: 'commands', test: /src\/cli\/(?:run-cli|commands\/run\/run-command)\.ts$/, priority: 0 },
]

/** Packages that `createRequire` loads in the midst of synchronous code, each a file of its own. */
const required: Readonly<Record<string, string>> = {
  'csv-parse': 'csv-parse/sync',
  pino: 'pino',
  'string-width': 'string-width',
  'zstd-wasm': '@bokuweb/zstd-wasm',
}

const root = fileURLToPath(new URL('../', import.meta.url))

/** Packages that may be installed beside this one. */
const external = Object.keys(packageJson.peerDependencies).map((name) => new RegExp(`^${name}(?:/|$)`))

/** Commander starts programs of subcommands, of which there are none: what that takes is loaded if it does. */
const commander: Plugin = {
  name: 'commander',
  transform: (code, id) =>
    id.endsWith('/commander/lib/command.js')
      ? {
          code: code.replace(
            /^const childProcess = (.*);$/m,
            'const childProcess = { get spawn() { return $1.spawn } };',
          ),
          map: null,
        }
      : null,
}

const requiredFiles: Plugin = {
  name: 'required files',
  transform(code, id) {
    if (id.includes('/node_modules/')) return null
    return {
      map: null,
      code: code.replaceAll(/createRequire\(import\.meta\.url\)\('([^']+)'\)/g, (call, name: string) => {
        const file = Object.keys(required).find((key) => required[key] === name)
        return file === undefined ? call : call.replace(name, `./${file}.cjs`)
      }),
    }
  },
}

const kernelFolder = 'src/records/memory'

const binaries = [
  ...readdirSync(join(root, kernelFolder))
    .filter((name) => /^kernel.*\.(?:wasm|node)$/.test(name))
    .map((name) => `${kernelFolder}/${name}`),
  // In place of that of the package, which is built for size: the same bytes in 35 to 45 % less time.
  'build/zstd.wasm',
]

const binaryFiles: Plugin = {
  name: 'WebAssembly and addons',
  generateBundle() {
    for (const path of binaries)
      this.emitFile({ type: 'asset', fileName: `bundle/${basename(path)}`, source: readFileSync(join(root, path)) })
  },
}
