import { z } from 'zod'

/*
 * The actions of a Delta log, as PROTOCOL.md of delta-io/delta lists them, as far as they matter here: members that are not named are
 * kept. A checkpoint has null where a commit has no member.
 */

const deletionVector = z.looseObject({
  storageType: z.string(),
  pathOrInlineDv: z.string(),
  offset: z.number().nullish(),
  sizeInBytes: z.number(),
  cardinality: z.number(),
})

const addFile = z.looseObject({
  path: z.string(),
  partitionValues: z.record(z.string(), z.string().nullable()).nullish(),
  size: z.number(),
  modificationTime: z.number(),
  dataChange: z.boolean(),
  stats: z.string().nullish(),
  deletionVector: deletionVector.nullish(),
})

const removeFile = z.looseObject({
  path: z.string(),
  deletionTimestamp: z.number().nullish(),
  dataChange: z.boolean(),
  deletionVector: deletionVector.nullish(),
})

const changeFile = z.looseObject({ path: z.string(), size: z.number() })

const protocol = z.looseObject({
  minReaderVersion: z.number(),
  minWriterVersion: z.number(),
  readerFeatures: z.array(z.string()).nullish(),
  writerFeatures: z.array(z.string()).nullish(),
})

const metaData = z.looseObject({
  id: z.string(),
  schemaString: z.string(),
  partitionColumns: z.array(z.string()).nullish(),
  configuration: z.record(z.string(), z.string().nullable()).nullish(),
})

const transaction = z.looseObject({ appId: z.string(), version: z.number() })

const domainMetadata = z.looseObject({ domain: z.string(), removed: z.boolean() })

const action = z.looseObject({
  commitInfo: z.looseObject({ txnId: z.unknown().optional() }).nullish(),
  protocol: protocol.nullish(),
  metaData: metaData.nullish(),
  txn: transaction.nullish(),
  add: addFile.nullish(),
  remove: removeFile.nullish(),
  cdc: changeFile.nullish(),
  domainMetadata: domainMetadata.nullish(),
})

export type Action = z.output<typeof action>
export type AddFile = Readonly<z.output<typeof addFile>>
export type DeletionVector = Readonly<z.output<typeof deletionVector>>
export type RemoveFile = Readonly<z.output<typeof removeFile>>
export type Protocol = Readonly<z.output<typeof protocol>>
export type MetaData = Readonly<z.output<typeof metaData>>

/** Throws SyntaxError or ZodError for lines that are no actions. */
export function parseActions(text: string): Action[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => action.parse(JSON.parse(line)))
}

export function formatActions(actions: readonly Action[]): Buffer {
  return Buffer.from(actions.map((each) => `${JSON.stringify(each)}\n`).join(''))
}

/** A table at one version. */
export interface ReplayedLog {
  readonly version: number
  readonly protocol: Protocol
  readonly metaData: MetaData
  /** By path, as the log writes it. */
  readonly files: ReadonlyMap<string, AddFile>
  /** By path and deletion vector, see `toFileKey`. */
  readonly tombstones: ReadonlyMap<string, RemoveFile>
  /** By the id of the application. */
  readonly transactions: ReadonlyMap<string, Readonly<z.output<typeof transaction>>>
  readonly domains: ReadonlyMap<string, Readonly<z.output<typeof domainMetadata>>>
}

/** A table as far as actions were replayed; null members have not come yet. */
export type PartialSnapshot = Omit<ReplayedLog, 'protocol' | 'metaData'> & {
  readonly protocol: Protocol | null
  readonly metaData: MetaData | null
}

export const noTable: PartialSnapshot = {
  version: -1,
  protocol: null,
  metaData: null,
  files: new Map(),
  tombstones: new Map(),
  transactions: new Map(),
  domains: new Map(),
}

/** Applies the actions of a commit, or all of a checkpoint. */
export function applyActions(before: PartialSnapshot, actions: readonly Action[], version: number): PartialSnapshot {
  let { protocol: lastProtocol, metaData: lastMetaData } = before
  const files = new Map(before.files)
  const tombstones = new Map(before.tombstones)
  const transactions = new Map(before.transactions)
  const domains = new Map(before.domains)
  // The actions of a commit have no order.
  for (const { remove } of actions) {
    if (!remove) continue
    const there = files.get(remove.path)
    if (there !== undefined && toFileKey(there) === toFileKey(remove)) files.delete(remove.path)
    tombstones.set(toFileKey(remove), remove)
  }
  for (const { add, protocol: newProtocol, metaData: newMetaData, txn, domainMetadata: domain } of actions) {
    if (newProtocol) lastProtocol = newProtocol
    if (newMetaData) lastMetaData = newMetaData
    if (txn) transactions.set(txn.appId, txn)
    if (domain?.removed === true) domains.delete(domain.domain)
    else if (domain) domains.set(domain.domain, domain)
    if (!add) continue
    files.set(add.path, add)
    tombstones.delete(toFileKey(add))
  }
  return { version, protocol: lastProtocol, metaData: lastMetaData, files, tombstones, transactions, domains }
}

/** Identifies a data file as of some deletions: the same file with other ones is another file of the log. */
export function toFileKey({ path, deletionVector: vector }: Pick<AddFile, 'path' | 'deletionVector'>): string {
  if (!vector) return path
  const { storageType, pathOrInlineDv, offset } = vector
  return `${path} ${storageType}${pathOrInlineDv}${typeof offset === 'number' ? `@${offset}` : ''}`
}

export function isWhole(snapshot: PartialSnapshot): snapshot is ReplayedLog {
  return snapshot.protocol !== null && snapshot.metaData !== null
}

/** The rows that are not deleted; null if the statistics don't say. */
export function countRows({ stats, deletionVector: vector }: Pick<AddFile, 'stats' | 'deletionVector'>): number | null {
  if (!stats) return null
  const { numRecords } = JSON.parse(stats) as { readonly numRecords?: unknown }
  return typeof numRecords === 'number' ? numRecords - (vector?.cardinality ?? 0) : null
}
