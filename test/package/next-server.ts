import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { run } from './packed.ts'

export interface NextServer {
  readonly url: string
  stop(): Promise<void>
}

/** Builds an application with a route that works, as one that runs without its packages, and starts it in another folder. */
export async function startNext(project: string): Promise<NextServer> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(project, path, '..'), { recursive: true })
    await writeFile(join(project, path), text)
  }
  await run(execPath, ['node_modules/next/dist/bin/next', 'build'], project)
  const standalone = `${project}-standalone`
  await cp(join(project, '.next/standalone'), standalone, { recursive: true })
  const port = await findPort()
  const env = { ...process.env, PORT: String(port), HOSTNAME: '127.0.0.1', NODE_ENV: 'production' as const }
  const server = spawn(execPath, ['server.js'], { cwd: standalone, env, stdio: 'ignore' })
  const ended = once(server, 'exit')
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; !(await answers(url)); tries++) {
    if (tries === 300 || server.exitCode !== null) throw new Error('Next: expected a server that answers, got none')
    await sleep(200)
  }
  return {
    url,
    async stop() {
      server.kill()
      await ended
    },
  }
}

const answers = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

const files = {
  'next.config.mjs':
    "export default { output: 'standalone', outputFileTracingRoot: import.meta.dirname, turbopack: { root: import.meta.dirname } }\n",
  'app/layout.js': 'export default function Layout({ children }) {\n  return <html><body>{children}</body></html>\n}\n',
  'app/page.js': 'export default function Page() {\n  return <p>ready</p>\n}\n',
  'app/api/work/route.js': `import { work } from '../../../job.mjs'
export async function GET(request) {
  const { searchParams } = new URL(request.url)
  await work(searchParams.get('input'), searchParams.get('folder'))
  return Response.json({ done: true })
}
`,
}
