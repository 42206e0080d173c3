import { CatalogueError } from '../errors.ts'
import { readToolVersion } from '../package-file.ts'

/** Version of the shape of a manifest. The first version was written without a number. */
export const manifestFormat = 2

/** Version of the shape of a state. A new version needs a step below, and a state of the old one in fixtures/states. */
export const stateFormat = 3

type Members = Readonly<Record<string, unknown>>

const steps: Readonly<Record<number, (state: Members) => Members>> = {
  1: ({ reaches, retired, ...state }) => ({ ...state, syncedUntil: reaches, obsoleteFiles: retired }),
  // Its content hashes are longer: they are compared over the length of today's.
  2: (state) => state,
}

/** Upgrades a manifest and its state from earlier formats. Throws STATE_INVALID for a format of a later version. */
export function upgradeManifest(manifest: unknown, path: string): unknown {
  if (typeof manifest !== 'object' || manifest === null) return manifest
  const { format: own, state, drift } = manifest as { format?: unknown; state?: Members | null; drift?: Members }
  if (typeof own === 'number' && own > manifestFormat) throw ofLaterVersion(manifest as Members, 'manifest', own, path)
  const counted = drift === undefined ? manifest : { ...manifest, drift: { ...noDrift, ...drift } }
  if (typeof state?.['format'] !== 'number') return counted
  let { format, ...members } = state as Members & { readonly format: number }
  if (format > stateFormat) throw ofLaterVersion(manifest as Members, 'state', format, path)
  for (; steps[format] !== undefined; format++) members = steps[format]?.(members) ?? members
  return { ...counted, state: { format, ...members } }
}

const noDrift = { oddCodes: {}, nullElements: {}, invalidValues: {}, duplicateKeys: {} }

const formats = { manifest: manifestFormat, state: stateFormat }

function ofLaterVersion(
  { tool }: Members,
  subject: keyof typeof formats,
  format: number,
  path: string,
): CatalogueError {
  const own = readToolVersion().version
  const { version } = (tool ?? {}) as { readonly version?: unknown }
  const isNamed = typeof version === 'string' && version !== own
  const by = isNamed ? `catalogue-etl ${version}` : 'a later catalogue-etl'
  const message = `${path}: expected a ${subject} of format 1 to ${formats[subject]}, which this catalogue-etl ${own} reads, got format ${format}, which ${by} wrote`
  return new CatalogueError('STATE_INVALID', message, {
    fix: `Run the pipeline with ${by}${isNamed ? ', or a newer one' : ''}.${subject === 'state' ? ' `state reset` would lose what histories hold.' : ''}`,
  })
}
