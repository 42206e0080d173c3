import { rm } from 'node:fs/promises'
import { bundle } from './bundle.ts'
import { writeTypes } from './write-types.ts'

/* `npm run build`: the command line and the entries of the library as bundles, and the library's declarations. */

await rm('dist', { recursive: true, force: true })
await Promise.all([bundle('dist'), writeTypes('dist/types', ['index', 'streams', 'sandbox', 'users'])])
