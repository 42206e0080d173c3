import { writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import vm from 'node:vm'

/* Preloaded with `--import`: at the end writes the compiled code of each script that the process has run beside it. */
const scripts = []
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options)
    scripts.push([this, options.filename])
  }
}
syncBuiltinESMExports()
process.on('exit', () => {
  for (const [script, path] of scripts)
    writeFileSync(`${path}.${process.arch}-${process.versions.v8}`, script.createCachedData())
})
