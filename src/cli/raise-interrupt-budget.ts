import { setFlagsFromString } from 'node:v8'

/**
 * Most of a run is WebAssembly; V8 of Node 20 spends more time on optimizing the JavaScript beside it than most runs then
 * save by that. With nine times the usual budget it optimizes what goes on being used. Later versions of V8 optimize in
 * steps, and don't have the flag.
 */
export function raiseInterruptBudget(): void {
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=600000')
}
