import type { MemoryRange, MemorySpace } from '../../../src/records/memory/memory-space.ts'

export function takeMany(space: MemorySpace): MemoryRange[] {
  return Array.from({ length: 200 }, (_, turn) => space.take(1 + ((turn * 7919) % 50_000)))
}
