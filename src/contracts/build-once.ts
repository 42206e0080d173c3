/** Builds at the first call, and gives the same from then on: a zod schema that few runs need. */
export function buildOnce<Value>(build: () => Value): () => Value {
  let built: { readonly value: Value } | undefined
  return () => (built ??= { value: build() }).value
}
