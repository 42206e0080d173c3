import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }

/**
 * Writes what the package contains of others, with versions and licences, to `sbom.cdx.json`, in the form of CycloneDX 1.6: npm
 * packages by their folders, and crates of the kernel. The same build writes the same bytes: it has neither a time nor a number.
 */
export async function writeBom(folder: string, packages: Iterable<string>): Promise<void> {
  const components = [...[...packages].map(readPackage), ...Object.entries(crates).map(readCrate)]
  const byRef = new Map(components.map((component) => [component['bom-ref'], component]))
  const all = [...byRef.keys()].toSorted().flatMap((ref) => byRef.get(ref) ?? [])
  const own = toComponent('npm', packageJson.name, packageJson.version, packageJson.license)
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: own },
    components: all,
    dependencies: [{ ref: own['bom-ref'], dependsOn: all.map((component) => component['bom-ref']) }],
  }
  await writeFile(join(folder, 'sbom.cdx.json'), `${JSON.stringify(bom, null, 2)}\n`)
}

/** What is linked into the binaries, with licences as crates.io has them; versions are in Cargo.lock. */
const crates: Readonly<Record<string, string>> = {
  crc32fast: 'MIT OR Apache-2.0',
  memchr: 'Unlicense OR MIT',
  napi: 'MIT',
  sha2: 'MIT OR Apache-2.0',
  'xxhash-rust': 'BSL-1.0',
  'zstd-safe': 'MIT OR Apache-2.0',
  // With the library in C, of which it has the version.
  'zstd-sys': '(MIT OR Apache-2.0) AND BSD-3-Clause',
}

const lock = readFileSync(new URL('../kernel/Cargo.lock', import.meta.url), 'utf8')

function readCrate([name, license]: readonly [string, string]) {
  const version = new RegExp(`^name = "${name}"\nversion = "(.*)"$`, 'm').exec(lock)?.[1]
  if (version === undefined) throw new Error(`Cargo.lock: expected the crate ${name}, got none`)
  return toComponent('cargo', name, version, license)
}

function readPackage(folder: string) {
  const text = readFileSync(join(folder, 'package.json'), 'utf8')
  const { name, version, license } = JSON.parse(text) as { name: string; version: string; license?: string }
  if (license === undefined) throw new Error(`${folder}: expected a licence in package.json, got none`)
  return toComponent('npm', name, version, license)
}

function toComponent(kind: 'npm' | 'cargo', fullName: string, version: string, license: string) {
  const [, group, name = fullName] = /^(@[^/]+)\/(.*)$/.exec(fullName) ?? []
  const inUrl = group === undefined ? name : `${encodeURIComponent(group)}/${name}`
  const purl = `pkg:${kind}/${inUrl}@${encodeURIComponent(version)}`
  const licenses = license.includes(' ') ? [{ expression: license }] : [{ license: { id: license } }]
  return { type: 'library', 'bom-ref': purl, ...(group && { group }), name, version, licenses, purl }
}
