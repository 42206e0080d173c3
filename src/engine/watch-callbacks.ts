type Callback = (...args: never[]) => void

/** Does work with the callbacks of a caller. An error thrown by a callback ends the work and is passed on unchanged. */
export async function watchCallbacks<Options extends object, Result>(
  options: Options,
  work: (watched: Options) => Promise<Result>,
): Promise<Result> {
  let thrown: { readonly error: unknown } | null = null
  const watch = (callback: Callback) => {
    return (...args: never[]): void => {
      try {
        callback(...args)
      } catch (error) {
        thrown ??= { error }
        throw error
      }
    }
  }
  const watched = Object.entries(options).map(([name, option]) => [
    name,
    isCallback(name, option) ? watch(option) : option,
  ])
  try {
    return await work(Object.fromEntries(watched) as Options)
  } catch (error) {
    throw rethrown(thrown, error)
  }
}

function isCallback(name: string, option: unknown): option is Callback {
  return typeof option === 'function' && name.startsWith('on')
}

function rethrown(thrown: { readonly error: unknown } | null, error: unknown): unknown {
  return thrown === null ? error : thrown.error
}
