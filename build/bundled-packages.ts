import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'

/** The modules of packages that bundles take, in place of their whole. */
export const resolve = {
  alias: {
    avsc: toPath('../node_modules/avsc/etc/browser/avsc-types.js'),
    undici: toPath('undici.mjs'),
    // Its fallback for processors without vectors, which the kernel needs too.
    '../llhttp/llhttp-wasm.js': '../llhttp/llhttp_simd-wasm.js',
    // Not its CommonJS for Node, of which nothing can be left out.
    yaml: toPath('../node_modules/yaml/browser/index.js'),
  },
}

function toPath(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}

/** What packages ask for that is never used: drivers of other platforms in `pg`, and forms as requests of undici. */
export const absentModules: Plugin = {
  name: 'absent modules',
  resolveId: {
    filter: { id: /^(?:pg-native|pg-cloudflare|\.\.\/web\/fetch\/body\.js)$/ },
    handler: (id) => absent + id,
  },
  load: (id) =>
    id.startsWith(absent) ? `throw new Error(${JSON.stringify(`${id.slice(absent.length)} is not there`)})` : null,
}

const absent = '\0absent:'

/** Adds the folders of the packages that a bundle contains. */
export function collectPackages(packages: Set<string>): Plugin {
  return {
    name: 'packages',
    generateBundle() {
      for (const id of this.getModuleIds()) {
        const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? []
        if (folder !== undefined) packages.add(folder)
      }
    },
  }
}

/** Writes the licences of these packages, by their folders, and of the binaries to LICENSES.txt. */
export async function writeLicenses(folder: string, packages: ReadonlySet<string>): Promise<void> {
  const licenses = [
    ...[...packages].toSorted().map(readLicense),
    ...readdirSync(binaryLicenses)
      .toSorted()
      .map((name) => readFileSync(join(binaryLicenses, name), 'utf8')),
  ]
  await writeFile(join(folder, 'LICENSES.txt'), licenses.join('\n'))
}

/** Licences of what the binaries contain: crates of the kernel, and zstd, whose package names its licence only. */
const binaryLicenses = fileURLToPath(new URL('licenses', import.meta.url))

/** The text of a file of its own, or of the last section of the README. */
function readLicense(folder: string): string {
  const files = readdirSync(folder)
  const file = files.find((name) => /^licen[cs]e/i.test(name)) ?? files.find((name) => /^readme\.md$/i.test(name))
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8')
  const license = /^readme/i.test(file ?? '') ? /^#+ license\n+(.*)/ims.exec(text)?.[1] : text
  if (!license) throw new Error(`${folder}: expected the text of its licence, got none`)
  return `${basename(folder)}\n\n${license}`
}
