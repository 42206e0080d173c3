import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown, type Plugin } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

/**
 * Writes the declarations of the library's entries to a folder such as `dist/types`, as few files without what no entry
 * names. Throws if they name a package, as a project may have none of it, or another version.
 */
export async function writeTypes(folder: string, entries: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true })
  const all = await mkdtemp(`${folder}-`)
  try {
    await promisify(execFile)('tsc', ['-p', 'tsconfig.build.json', '--outDir', all])
    const input = Object.fromEntries(entries.map((entry) => [entry, join(all, `${entry}.d.ts`)]))
    const plugins = [named, dts({ dtsInput: true, emitDtsOnly: true, oxc: true, tsconfig: false }), used]
    const modules = await rolldown({ input, plugins, external: /^(?:node:|[^./])/, checks: { pluginTimings: false } })
    const { output } = await modules.write({ dir: folder, format: 'esm', chunkFileNames: '[name].d.ts' })
    await modules.close()
    for (const chunk of output) if (chunk.type === 'chunk') requireNoPackage(chunk)
  } finally {
    await rm(all, { recursive: true })
  }
}

/** The compiler leaves the names of the sources in what it writes. */
const named: Plugin = {
  name: 'names of declarations',
  resolveId: (name, from) =>
    from !== undefined && /^\..*(?<!\.d)\.ts$/.test(name) ? join(dirname(from), name.replace(/\.ts$/, '.d.ts')) : null,
}

/** The bundler keeps imports of zod that nothing of what is left names. */
const used: Plugin = {
  name: 'used imports',
  renderChunk: (code) => (/\bz\./.test(code) ? null : code.replace(/^import \{ z \} from "zod";\n/m, '')),
}

function requireNoPackage({ fileName, code }: { readonly fileName: string; readonly code: string }): void {
  for (const [, name = ''] of code.matchAll(/\b(?:from |import\()['"]([^'"]+)['"]/g)) {
    if (!/^(?:\.|node:)/.test(name)) throw new Error(`${fileName}: expected declarations of Node alone, got ${name}`)
  }
}
