import { readFileSync } from 'node:fs'

/** The exports of a WebAssembly module in this file, one instance for each call. */
export function loadModule(
  file: URL,
  imports: Record<string, Record<string, unknown>>,
): WebAssembly.Instance['exports'] {
  const module = new WebAssembly.Module(readFileSync(file))
  return new WebAssembly.Instance(module, imports).exports
}
