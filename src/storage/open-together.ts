export interface Discardable {
  discard(): Promise<void>
}

/** Opens several things, each handed to `keep` once it is open. When one can't be opened, those before it are discarded. */
export async function openTogether<Result>(
  open: (keep: <Opened extends Discardable>(opened: Opened) => Opened) => Promise<Result>,
): Promise<Result> {
  const kept: Discardable[] = []
  try {
    return await open((opened) => {
      kept.push(opened)
      return opened
    })
  } catch (error) {
    await discardAll(kept)
    throw error
  }
}

export async function discardAll(opened: readonly Discardable[]): Promise<void> {
  await allOrFirstFailure(opened.map((one) => one.discard()))
}

/** Waits for all of them, also when one fails, and then gives their values or throws the first failure. */
export async function allOrFirstFailure<Value>(work: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(work)
  return Promise.all(work)
}
