import { argv } from 'node:process'
import { work } from './job.mjs'

/* The job as a program. It has no `await` of its own: bundles in CommonJS take none. */
const [, , input, folder] = argv
void work(input, folder)
