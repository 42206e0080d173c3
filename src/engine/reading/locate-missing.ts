import type { SourceIdsPlan } from '../../plan/pipeline-plan.ts'
import type { MissingIdentifiers, Source } from '../../sources/source.ts'

/** The same source, whose notes also tell where in the file of the list each missing identifier stands. */
export function locateMissing(source: Source, { summary, identifiers }: SourceIdsPlan): Source {
  const locate = (list: MissingIdentifiers): MissingIdentifiers => {
    if (list.key !== summary.field) return list
    const missing = new Set(list.missing)
    const inFile = identifiers.flatMap(({ code, line, written }) =>
      missing.has(String(code)) ? [{ line, written }] : [],
    )
    return { ...list, inFile }
  }
  return {
    ...source,
    read(signal) {
      const reading = source.read(signal)
      const { notes } = reading
      if (notes === undefined) return reading
      return {
        ...reading,
        notes: () => {
          const told = notes()
          return { ...told, missing: told.missing.map(locate) }
        },
      }
    },
  }
}
