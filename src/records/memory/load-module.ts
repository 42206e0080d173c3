import { readFileSync } from 'node:fs'

export function loadModule(
  file: URL,
  imports: Record<string, Record<string, unknown>>,
): WebAssembly.Instance['exports'] {
  const module = new WebAssembly.Module(readFileSync(file))
  return new WebAssembly.Instance(module, imports).exports
}
