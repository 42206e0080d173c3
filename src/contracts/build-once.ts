/** Builds a value at the first call, for instance a zod schema that few runs need. */
export function buildOnce<Value>(build: () => Value): () => Value {
  let built: { readonly value: Value } | undefined
  return () => (built ??= { value: build() }).value
}
