const threads = require('node:worker_threads')

/* Preloaded with `--require`: writes a line to standard error for each thread that starts. */
threads.Worker = class extends threads.Worker {
  constructor(...options) {
    super(...options)
    process.stderr.write('a thread started\n')
  }
}
