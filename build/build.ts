import { rm } from 'node:fs/promises'
import { bundle } from './bundle.ts'
import { keepCompiled } from './keep-compiled.ts'
import { bundlePortable } from './portable.ts'
import { writeTypes } from './write-types.ts'

/* `npm run build`: the command line and the entries of the library as bundles, and the library's declarations. */

await rm('dist', { recursive: true, force: true })
const types = writeTypes('dist/types', ['index', 'streams', 'sandbox', 'users'])
await Promise.all([bundle('dist').then(() => keepCompiled('dist')), bundlePortable('dist/portable'), types])
