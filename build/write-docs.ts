/** Writes what is made from the contracts and schemas: `npm run docs`. A test checks that it is up to date. */
import { writeFileSync } from 'node:fs'
import { generatedFiles } from './generated-files.ts'

for (const [path, content] of await generatedFiles()) writeFileSync(new URL(`../${path}`, import.meta.url), content)
