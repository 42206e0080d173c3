import { writeFileSync } from 'node:fs'

/* Preloaded with `--import`: writes the names of Node's own modules that the process has loaded to MODULES_TO. */
process.on('exit', () => writeFileSync(process.env.MODULES_TO, JSON.stringify(process.moduleLoadList)))
