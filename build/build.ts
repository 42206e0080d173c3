import { rm } from 'node:fs/promises'
import { bundle } from './bundle.ts'
import { keepCompiled } from './keep-compiled.ts'
import { bundlePortable } from './portable.ts'
import { writeBom } from './sbom.ts'
import { writeTypes } from './write-types.ts'

/* `npm run build`: the command line and the entries of the library as bundles, the library's declarations, and what they contain of others. */

await rm('dist', { recursive: true, force: true })
const types = writeTypes('dist/types', ['index', 'streams', 'sandbox', 'users'])
const [packages, portable] = await Promise.all([bundle('dist'), bundlePortable('dist/portable'), types])
await Promise.all([keepCompiled('dist'), writeBom('dist', [...packages, ...portable])])
