export interface Discardable {
  discard(): Promise<void>
}

/** Opens several things and hands each to `keep`. If one can't be opened, discards the earlier ones. */
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

/** Waits for all of them, even if one fails, then returns their values or throws the first failure. */
export async function allOrFirstFailure<Value>(work: readonly Promise<Value>[]): Promise<Value[]> {
  await Promise.allSettled(work)
  return Promise.all(work)
}
