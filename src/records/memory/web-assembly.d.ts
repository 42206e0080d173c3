declare namespace WebAssembly {
  type Module = object
  const Module: new (bytes: Uint8Array) => Module

  interface SharedMemory {
    readonly buffer: SharedArrayBuffer
    grow(pages: number): number
  }
  const Memory: new (descriptor: { initial: number; maximum: number; shared: true }) => SharedMemory

  interface Global {
    value: number
  }

  interface Instance {
    readonly exports: Readonly<Record<string, unknown>>
  }
  const Instance: new (module: Module, imports: Record<string, Record<string, unknown>>) => Instance
}
