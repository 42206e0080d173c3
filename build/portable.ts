import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import { rolldown, type Plugin } from 'rolldown'
import { absentModules, collectPackages, resolve, writeLicenses } from './bundled-packages.ts'
import packageJson from '../package.json' with { type: 'json' }

/**
 * Writes the library for the bundlers of others to a folder such as `dist/portable`: modules that import nothing but Node's
 * own and each other, and look for no file. The kernel, zstd and the worker thread are text in them; native code is
 * not. Resolves with the folders of the packages in them.
 */
export async function bundlePortable(folder: string): Promise<Set<string>> {
  const packages = new Set<string>()
  const worker = await bundleWorker(packages)
  const modules = await rolldown({ cwd: root, input, platform: 'node', resolve, plugins: plugins(packages, worker) })
  await modules.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    minify: true,
    comments: { legal: true, annotation: true, jsdoc: false },
  })
  await modules.close()
  await writeLicenses(folder, packages)
  return packages
}

const root = fileURLToPath(new URL('../', import.meta.url))

const input = Object.fromEntries(['index', 'streams', 'sandbox', 'users'].map((name) => [name, `src/${name}.ts`]))

/** A script, as threads begin with a module only where it is a file. */
async function bundleWorker(packages: Set<string>): Promise<string> {
  const entry = { worker: 'src/kernel/encode/encode-worker.ts' }
  const modules = await rolldown({
    cwd: root,
    input: entry,
    platform: 'node',
    resolve,
    plugins: plugins(packages, null),
  })
  const { output } = await modules.generate({ format: 'cjs', codeSplitting: false, minify: true, comments: false })
  await modules.close()
  return output[0].code
}

function plugins(packages: Set<string>, worker: string | null): Plugin[] {
  return [absentModules, inPlace(worker), requiredModules, withoutMeta, collectPackages(packages)]
}

/** Modules in place of those that look for files; what a worker thread needs of them comes with its start. */
function inPlace(worker: string | null): Plugin {
  const { name, version } = packageJson
  const code: Readonly<Record<string, () => string>> = {
    [binaries]: () => (worker === null ? handedBinaries : ownBinaries(worker)),
    'src/records/memory/kernel-files.ts': () => `export { kernel as readKernelModule } from '${binaries}'
      export const requireKernelAddon = () => { throw new Error('bundled code has no native code') }`,
    'src/kernel/encode/start-worker.ts': () => `import { kernel, worker, zstd } from '${binaries}'
      let code
      export function startWorker(resourceLimits) {
        const { Worker } = process.getBuiltinModule('node:worker_threads')
        const workerData = { kernel: kernel(), zstd: zstd() }
        return new Worker(code ??= worker().toString(), { eval: true, resourceLimits, workerData })
      }`,
    // The bundle may be anywhere: packages are looked for beside the program, and in the folder that it runs in.
    'src/optional-package.ts': () => `import { join } from 'node:path'
      const createRequire = (path) => process.getBuiltinModule('node:module').createRequire(path)
      export function requireOptional(name, broughtBy) {
        const own = createRequire(join(process.cwd(), 'any.js'))
        const require = process.argv[1] === undefined || canResolve(own, broughtBy ?? name) ? own : createRequire(process.argv[1])
        return (broughtBy === undefined ? require : createRequire(require.resolve(broughtBy)))(name)
      }
      function canResolve(require, name) {
        try { return require.resolve(name) !== '' } catch { return false }
      }`,
    'src/package-file.ts': () => `export const readToolVersion = () => (${JSON.stringify({ name, version })})
      export function packageFile(path) { throw new Error(path + ': expected the package as it is installed, got a bundle') }`,
  }
  return {
    name: 'in place of files',
    resolveId: { filter: { id: new RegExp(`^${binaries}$`) }, handler: (id) => join(root, id) },
    load(id) {
      const path = Object.keys(code).find((each) => id === join(root, each))
      return path === undefined ? null : { code: code[path]?.() ?? '', moduleType: 'js' }
    },
    transform(source, id) {
      return id.endsWith('/@bokuweb/zstd-wasm/dist/common/index.node.js')
        ? source.replace(/yield readFile\(.*\)/, `require('${binaries}').zstd()`)
        : null
    },
  }
}

/** The name of the module that has the kernel, zstd and the worker thread. */
const binaries = 'portable-binaries'

const handedBinaries = `const { workerData } = process.getBuiltinModule('node:worker_threads')
  export const kernel = () => workerData.kernel
  export const zstd = () => workerData.zstd
  export const worker = () => null`

/** The best level takes seconds for 3 % less. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 20 }

function ownBinaries(worker: string): string {
  const all = {
    kernel: readFileSync(join(root, 'src/records/memory/kernel.wasm')),
    zstd: readFileSync(join(root, 'build/zstd.wasm')),
    worker: Buffer.from(worker),
  }
  const functions = Object.entries(all).map(
    ([name, bytes]) =>
      `export const ${name} = () => inflate('${brotliCompressSync(bytes, { params }).toString('base64')}')`,
  )
  return `import { brotliDecompressSync } from 'node:zlib'
    const inflate = (text) => brotliDecompressSync(Buffer.from(text, 'base64'))
    ${functions.join('\n')}`
}

/** Packages that are loaded in the midst of synchronous code become imports. */
const requiredModules: Plugin = {
  name: 'required modules',
  transform(code, id) {
    if (id.includes('/node_modules/')) return null
    const names: string[] = []
    const changed = code.replaceAll(/createRequire\(import\.meta\.url\)\('([^']+)'\)/g, (_, name: string) => {
      names.push(name)
      return `required${names.length}`
    })
    const imports = names.map(
      (name, at) =>
        `import * as all${at + 1} from '${name}'\nconst required${at + 1} = Reflect.get(all${at + 1}, 'default') ?? all${at + 1}\n`,
    )
    return names.length === 0 ? null : imports.join('') + changed
  },
}

/**
 * Packages in CommonJS ask for modules of Node alone: of an `import.meta` there is none where a bundle is CommonJS, and webpack
 * takes `createRequire` for itself.
 */
const withoutMeta: Plugin = {
  name: 'without import.meta',
  generateBundle(_, files) {
    for (const file of Object.values(files))
      if (file.type === 'chunk')
        file.code = file.code.replaceAll(
          /(?<![\w$])[\w$]{1,20}\(import\.meta\.url\)/g,
          '(name=>process.getBuiltinModule(name))',
        )
  },
}
