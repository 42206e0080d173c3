/*
 * Preloaded with --import into the command line: counts the steps of a run by phase, keeps the counts in the file that
 * CRASH_NOTES names, and kills the process at the step that CRASH_AT names (`{ phase, step, afterMs }`). A step is a call of
 * the file system, a message to PostgreSQL (at the port CRASH_PORT; one before it is sent, one after), or a call of DuckDB
 * (with CRASH_DUCKDB). `afterMs: null` kills before the step, a number n kills n milliseconds after it began.
 */
import fs, { openSync, writeSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import { isMainThread, Worker } from 'node:worker_threads'

const phases = ['start', 'fetch', 'transform', 'merge', 'load', 'commit', 'publish']
const counts = { start: 0 }
let phase = 'start'
let killer

/** Before every step; `said` is its path or statement. */
function step(action, said) {
  const next = phaseAt(action, String(said))
  if (phases.indexOf(next) > phases.indexOf(phase)) phase = next
  counts[phase] = (counts[phase] ?? 0) + 1
  writeSync(notes, JSON.stringify(counts), 0)
  if (killAt !== null && isReached()) kill()
}

/** The phase that begins with a step. */
function phaseAt(action, said) {
  if (said.includes('._manifest.json.source.')) return 'fetch'
  if (action === 'open' && /\._manifest\.json\.\d+-\w+\.staging$/.test(said)) return 'transform'
  if (action === 'mkdir' && said.includes('._manifest.json.merge.')) return 'merge'
  if (action === 'duckdb' && said.startsWith('CREATE SCHEMA')) return 'load'
  if (action === 'send' && said.includes('COPY ')) return phase === 'transform' ? 'load' : phase
  if (action === 'sync' && said.includes('._rejects.ndjson.')) return 'commit'
  if (action === 'open' && /\._manifest\.json\.\d+-[0-9a-f]+\.partial$/.test(said)) return 'publish'
  return phase
}

/** A run with fewer steps in that phase is killed where the next one begins. */
function isReached() {
  const [now, wanted] = [phases.indexOf(phase), phases.indexOf(killAt.phase)]
  return now > wanted || (now === wanted && counts[phase] > killAt.step)
}

function kill() {
  if (killAt.afterMs === null) process.kill(process.pid, 'SIGKILL')
  Atomics.store(killer, 0, 1)
  Atomics.notify(killer, 0)
}

/** A thread that is not in the way of the others, nor they in its. */
function startKiller(afterMs) {
  killer = new Int32Array(new SharedArrayBuffer(8))
  const wait = `const { workerData } = require('node:worker_threads')
    Atomics.wait(workerData.killer, 0, 0)
    Atomics.wait(workerData.killer, 1, 0, workerData.afterMs)
    process.kill(process.pid, 'SIGKILL')`
  new Worker(wait, { eval: true, workerData: { killer, afterMs } }).unref()
}

function trackFiles() {
  for (const name of ['open', 'rename', 'link', 'rm', 'rmdir', 'mkdir']) {
    const call = fs.promises[name]
    fs.promises[name] = async (path, ...rest) => {
      step(name, path)
      const result = await call(path, ...rest)
      return name === 'open' ? trackHandle(result, path) : result
    }
  }
  // Streams of files go by these.
  for (const name of ['open', 'write', 'close']) {
    const call = fs[name]
    fs[name] = (...args) => {
      step(`stream ${name}`, args[0])
      return call(...args)
    }
  }
  syncBuiltinESMExports()
}

function trackHandle(handle, path) {
  for (const name of ['write', 'writeFile', 'sync', 'close']) {
    const call = handle[name].bind(handle)
    handle[name] = (...args) => {
      step(name, path)
      return call(...args)
    }
  }
  return handle
}

function trackMessages(port) {
  const call = Socket.prototype['write']
  Socket.prototype.write = function (...args) {
    if (this.remotePort !== port) return call.apply(this, args)
    const said = Buffer.from(args[0]).toString('latin1')
    step('send', said)
    const result = call.apply(this, args)
    step('sent', said)
    return result
  }
}

async function trackDuckdb() {
  const { DuckDBConnection, DuckDBInstance } = await import('@duckdb/node-api')
  for (const [type, ...names] of [
    [DuckDBConnection, 'run', 'stream', 'closeSync', 'disconnectSync'],
    [DuckDBInstance, 'connect', 'closeSync'],
  ]) {
    for (const name of names) {
      const call = type.prototype[name]
      type.prototype[name] = function (...args) {
        step('duckdb', args[0] ?? name)
        return call.apply(this, args)
      }
    }
  }
}

const { CRASH_NOTES, CRASH_AT, CRASH_PORT, CRASH_DUCKDB } = process.env
const killAt = CRASH_AT ? JSON.parse(CRASH_AT) : null
let notes
if (isMainThread) {
  notes = openSync(CRASH_NOTES, 'w')
  if (killAt !== null && killAt.afterMs !== null) startKiller(killAt.afterMs)
  if (CRASH_DUCKDB) await trackDuckdb()
  trackFiles()
  if (CRASH_PORT) trackMessages(Number(CRASH_PORT))
}
