import type { Field } from '../../contracts/fields.ts'
import type { ContentHashPlan } from '../../records/flatten/content-hash.ts'
import type { ProgramOffset, ProgramWriter } from './program-writer.ts'
import type { NodeProjection } from './projected-cells.ts'

/** What the nodes of a tree are written with. */
export interface TreeContext {
  readonly writer: ProgramWriter
  readonly locales: readonly string[]
  /** One of the kinds of `objectUnknown`. */
  readonly unknownFields: number
  /** What is left out of the content, where that is wanted. */
  readonly content: Pick<ContentHashPlan, 'without'> | null
  /** The paths that notes of drift name by number: of an object with what stands before its keys. */
  readonly paths: string[]
  /** A list of texts is written in which no null may stand. */
  readonly isBareList?: boolean
  /** Keys of this one object that only the plain path knows what to make of. */
  readonly refused?: readonly string[]
  /** Writes the node of a field, and those of what lies in it, whatever its kind. Throws Unsupported. */
  readonly writeNode: (context: TreeContext, field: Field, wanted: NodeProjection, path: string) => ProgramOffset
}
