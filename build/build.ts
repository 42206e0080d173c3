import { execFile } from 'node:child_process'
import { copyFile, rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { bundleCli } from './bundle-cli.ts'

/* `npm run build`: the library as `tsc` writes it, the command line bundled. */

await rm('dist', { recursive: true, force: true })
await promisify(execFile)('tsc', ['-p', 'tsconfig.build.json'])
for (const module of ['scan/scan.wasm', 'formats/parquet/pages.wasm']) await copyFile(`src/${module}`, `dist/${module}`)
await bundleCli('dist')
