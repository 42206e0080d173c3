import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/*
 * Stands in for the command on executors: `shards run PLAN --shard N …`. PLAN/ways.json says by shard how its first attempts go:
 * "hang" until standard input ends, "stop" as a process that is stopped, "die" by a signal, or an exit code. Each attempt leaves
 * PLAN/starts/N-A.json.
 */

const [, , plan, , shard] = process.argv.slice(2)
const attempt = countAttempts()
const { pid, env } = process
writeFileSync(join(plan, 'starts', `${shard}-${attempt}.json`), JSON.stringify({ pid, workers: env.CATALOGUE_WORKERS }))
const way = JSON.parse(readFileSync(join(plan, 'ways.json'), 'utf8'))[shard]?.[attempt]
if (way === 'hang') process.stdin.resume().on('end', () => process.exit(130))
else if (way === 'stop') process.kill(pid, 'SIGSTOP')
else if (way === 'die') process.kill(pid, 'SIGKILL')
else if (way !== undefined) {
  process.stderr.write(`STUB_FAILED A shard ends with ${way}\n  shard ${shard}: expected 0, got ${way}\n`)
  process.exitCode = way
}

function countAttempts() {
  for (let number = 0; ; number++) {
    const place = join(plan, 'starts', `${shard}-${number}`)
    if (existsSync(place)) continue
    mkdirSync(place, { recursive: true })
    return number
  }
}
