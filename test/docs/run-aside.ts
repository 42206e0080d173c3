import { spawn } from 'node:child_process'

export interface AsideEnd {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command while this process continues to serve what it asks for. */
export function runAside(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: Record<string, string> },
): Promise<AsideEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, options)
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (text: Buffer) => (stdout += text.toString()))
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()))
    child.stdin.end()
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}
