import { recoverPublication } from '../../src/storage/recover-publication.ts'
import { clearStaleStaging } from '../../src/storage/stale-staging.ts'
import { publish } from '../../src/storage/publication.ts'
import { OutputFolder } from './output-folder.ts'
import { watchFileSystem } from './watched-file-system.ts'

/**
 * A process that publishes and is killed: `publication-child.ts FOLDER FILES KILL`. With a number it publishes version
 * B and kills itself before that operation. With `loop` it publishes A and B in turn until it is killed.
 */
const [folder = '', files = '0', kill = ''] = process.argv.slice(2)
const outputs = new OutputFolder(folder, Number(files))

if (kill === 'loop') await publishForEver()
else await publishUpTo(Number(kill))

async function publishForEver(): Promise<never> {
  for (let run = 0; ; run++) {
    await recoverPublication(outputs.journal)
    await clearStaleStaging(outputs.destinations, new Set())
    const publication = await outputs.stage(run % 2 === 0 ? 'B' : 'A', `run${run}`)
    if (run === 0) process.stdout.write('ready')
    await publish(publication)
  }
}

async function publishUpTo(last: number): Promise<void> {
  const publication = await outputs.stage('B', 'only')
  const fs = watchFileSystem({
    before({ index }) {
      if (index === last) process.kill(process.pid, 'SIGKILL')
    },
  })
  await publish(publication, fs)
}
