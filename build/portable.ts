import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { rolldown, type Plugin } from 'rolldown'
import { resolve } from './bundle.ts'
import { collectPackages, writeLicenses } from './bundled-packages.ts'
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
  return [inPlace(worker), requiredModules, withoutMeta, collectPackages(packages)]
}

/** Modules in place of those that look for files. */
function inPlace(worker: string | null): Plugin {
  const { name, version } = packageJson
  const code: Readonly<Record<string, () => string>> = {
    'src/records/memory/kernel-files.ts': () => `${gunzip}
      export const readKernelModule = () => ${inflated(readFileSync(join(root, 'src/records/memory/kernel.wasm')))}
      export const requireKernelAddon = () => { throw new Error('bundled code has no native code') }`,
    'src/kernel/encode/start-worker.ts': () => `${gunzip}
      const code = () => ${inflated(Buffer.from(worker ?? ''))}.toString()
      let text
      export function startWorker(resourceLimits) {
        const { Worker } = process.getBuiltinModule('node:worker_threads')
        return new Worker(text ??= code(), { eval: true, resourceLimits })
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
    load(id) {
      if (id.startsWith(absent)) return `throw new Error(${JSON.stringify(`${id.slice(absent.length)} is not there`)})`
      const path = Object.keys(code).find((each) => id === join(root, each))
      return path === undefined ? null : { code: code[path]?.() ?? '', moduleType: 'js' }
    },
    resolveId: { filter: { id: /^(?:pg-native|pg-cloudflare)$/ }, handler: (id) => absent + id },
    transform(source, id) {
      return id.endsWith('/@bokuweb/zstd-wasm/dist/common/index.node.js')
        ? source.replace(/yield readFile\(.*\)/, `(${inflatedByRequire(readFileSync(join(root, 'build/zstd.wasm')))})`)
        : null
    },
  }
}

/** Packages of other platforms that `pg` asks for. */
const absent = '\0absent:'

const gunzip = "import { gunzipSync } from 'node:zlib'"

function inflated(bytes: Uint8Array): string {
  return `gunzipSync(Buffer.from("${gzipSync(bytes, { level: 9 }).toString('base64')}", 'base64'))`
}

function inflatedByRequire(bytes: Uint8Array): string {
  return `require('zlib').${inflated(bytes)}`
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
