/** Waits for all of them, also when one fails, and then gives their values or throws the first failure. */
export async function allOrFirstFailure<Value>(work: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(work)
  return Promise.all(work)
}
