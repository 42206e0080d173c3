import { basename } from 'node:path'
import { syncBuiltinESMExports } from 'node:module'
import vm from 'node:vm'

/* Preloaded with `--import`: writes to standard error whether V8 has taken the compiled code of each script. */
vm.Script = class extends vm.Script {
  constructor(code, options) {
    super(code, options)
    process.stderr.write(
      `${basename(options.filename)} is ${this.cachedDataRejected === false ? 'taken' : 'compiled'}\n`,
    )
  }
}
syncBuiltinESMExports()
