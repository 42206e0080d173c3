import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, open, readFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Python with pyspark: PYSPARK_PYTHON, else python3. */
const python = process.env.PYSPARK_PYTHON ?? 'python3'

/** Only finds the modules, because importing them takes seconds. */
const findModules = `
from importlib.util import find_spec
for name in ['pyarrow', 'pandas', 'grpc', 'grpc_status']:
    assert find_spec(name)
print(find_spec('pyspark').submodule_search_locations[0])
`

/** The folder of pyspark; null if it, a package that it needs, or Java is missing. */
const sparkHome = findSparkHome()

/**
 * True if Spark is not installed, so that its tests are skipped. With CATALOGUE_REQUIRE_SPARK=1, as in CI, they fail
 * instead.
 */
export const skipsSpark = process.env.CATALOGUE_REQUIRE_SPARK !== '1' && sparkHome === null

interface SparkClusterOptions {
  /** For logs and the working folders of executors. */
  readonly folder: string
  /** Environment of the workers, which executors and tasks inherit. */
  readonly env: Readonly<Record<string, string>>
}

type WorkerHost = (typeof workers)[number]

const workers = ['127.0.0.2', '127.0.0.3'] as const

/** Settings of an application with one task at a time on each worker, which soon notices a slow task. */
export const smallApplication: Readonly<Record<string, string>> = {
  'spark.cores.max': '2',
  'spark.executor.cores': '1',
  'spark.executor.memory': '512m',
  'spark.driver.memory': '512m',
  'spark.ui.enabled': 'false',
  'spark.speculation': 'true',
  'spark.speculation.multiplier': '1.5',
  'spark.speculation.quantile': '0.5',
}

/** Settings of an application with three tasks at a time on each worker. */
const largeApplication = { ...smallApplication, 'spark.cores.max': '6', 'spark.executor.cores': '3' }

export function toConf(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([key, value]) => ['--conf', `${key}=${value}`])
}

/** Settings of Java for short-lived processes: half of its CPU time was optimizing compilation. */
const quickJava = { JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' }

/**
 * A standalone cluster: a master on 127.0.0.1, and one worker each on 127.0.0.2 and 127.0.0.3, as speculation needs two
 * hosts.
 */
export class SparkCluster {
  readonly python = python
  readonly #options: SparkClusterOptions
  readonly #port: number
  readonly #processes = new Map<string, ChildProcess>()

  private constructor(options: SparkClusterOptions, port: number) {
    this.#options = options
    this.#port = port
  }

  /** Resolves once both workers are registered. Throws if Spark is not installed. */
  static async start(options: SparkClusterOptions): Promise<SparkCluster> {
    if (sparkHome === null)
      throw new Error(`expected java, and pyspark[connect] for ${python} (PYSPARK_PYTHON), got none`)
    const cluster = new SparkCluster(options, await findFreePort())
    const master = ['org.apache.spark.deploy.master.Master', '--host', '127.0.0.1', '--port', String(cluster.#port)]
    await cluster.#launch('master', 'spark-class', [...master, '--webui-port', '0'], '127.0.0.1')
    await Promise.all(workers.map((host) => cluster.startWorker(host)))
    return cluster
  }

  /** `spark://127.0.0.1:…` */
  get master(): string {
    return `spark://127.0.0.1:${this.#port}`
  }

  get driverEnv(): Readonly<Record<string, string>> {
    return { PATH: process.env.PATH ?? '', SPARK_LOCAL_IP: '127.0.0.1', PYSPARK_PYTHON: python, ...quickJava }
  }

  /** Starts a worker, also again after it was killed; resolves once it is registered. */
  async startWorker(host: WorkerHost): Promise<void> {
    const folder = join(this.#options.folder, `work-${host}`)
    await mkdir(folder, { recursive: true })
    const place = ['--host', host, '--port', '0', '--webui-port', '0', '--work-dir', folder]
    const share = ['--cores', '8', '--memory', '4g', this.master]
    const args = ['org.apache.spark.deploy.worker.Worker', ...place, ...share]
    await this.#launch(host, 'spark-class', args, host)
    await this.#logged(host, 'Successfully registered with master')
  }

  workerPid(host: WorkerHost): number {
    return this.#processes.get(host)!.pid!
  }

  /**
   * Starts a server of Spark Connect, an application with three tasks at a time on each worker; resolves with its URL.
   */
  async startConnect(): Promise<string> {
    const port = await findFreePort()
    const settings = { ...largeApplication, 'spark.connect.grpc.binding.port': String(port) }
    const args = ['--master', this.master, ...toConf(settings)]
    const name = 'org.apache.spark.sql.connect.service.SparkConnectServer'
    await this.#launch('connect', 'spark-submit', ['--class', name, ...args], '127.0.0.1')
    const until = Date.now() + startMs
    while (!(await canConnect(port))) await this.#waitUntil('connect', until)
    return `sc://127.0.0.1:${port}`
  }

  /** Ends all processes, including executors and their tasks. */
  async stop(): Promise<void> {
    await Promise.all([...this.#processes.values()].map(endProcess))
  }

  async #launch(name: string, script: string, args: readonly string[], host: string): Promise<void> {
    const log = await open(this.#logOf(name), 'w')
    const child = spawn(join(sparkHome!, 'bin', script), args, {
      cwd: this.#options.folder,
      env: { ...process.env, ...this.#options.env, ...toSparkEnvironment(name, host) },
      stdio: ['ignore', log.fd, log.fd],
    })
    this.#processes.set(name, child)
    await log.close()
  }

  async #logged(name: string, text: string): Promise<void> {
    const until = Date.now() + startMs
    while (!(await readFile(this.#logOf(name), 'utf8')).includes(text)) await this.#waitUntil(name, until)
  }

  async #waitUntil(name: string, until: number): Promise<void> {
    if (Date.now() > until || this.#processes.get(name)!.exitCode !== null) {
      const log = await readFile(this.#logOf(name), 'utf8')
      throw new Error(`${name} of Spark did not start: ${log.replaceAll(/^\tat .*\n/gm, '').slice(-4000)}`)
    }
    await sleep(50)
  }

  #logOf(name: string): string {
    return join(this.#options.folder, `${name}.log`)
  }
}

const startMs = 60_000

function toSparkEnvironment(name: string, host: string): Record<string, string> {
  // Spark refuses to start an application with less than 450 MB.
  const memory = name === 'connect' ? '512m' : '192m'
  return {
    SPARK_HOME: sparkHome!,
    SPARK_LOCAL_IP: host,
    SPARK_DAEMON_MEMORY: memory,
    PYSPARK_PYTHON: python,
    ...quickJava,
  }
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill()
  await Promise.race([ended, sleep(10_000)])
  child.kill('SIGKILL')
  await ended
}

function findSparkHome(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  if (process.platform !== 'linux' || !folders.some((folder) => existsSync(join(folder, 'java')))) return null
  const { status, stdout } = spawnSync(python, ['-c', findModules], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    }).once('error', () => resolve(false))
  })
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
