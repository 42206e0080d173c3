import { z } from 'zod'

/*
 * The actions of a Delta log, as PROTOCOL.md of delta-io/delta lists them, as far as they matter here: members that are not named are
 * kept. A checkpoint has null where a commit has no member.
 */

const addFile = z.looseObject({
  path: z.string(),
  partitionValues: z.record(z.string(), z.string().nullable()).nullish(),
  size: z.number(),
  modificationTime: z.number(),
  dataChange: z.boolean(),
  stats: z.string().nullish(),
  deletionVector: z.unknown().optional(),
})

const removeFile = z.looseObject({
  path: z.string(),
  deletionTimestamp: z.number().nullish(),
  dataChange: z.boolean(),
})

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
  domainMetadata: domainMetadata.nullish(),
})

export type Action = z.output<typeof action>
export type AddFile = Readonly<z.output<typeof addFile>>
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
    files.delete(remove.path)
    tombstones.set(remove.path, remove)
  }
  for (const { add, protocol: newProtocol, metaData: newMetaData, txn, domainMetadata: domain } of actions) {
    if (newProtocol) lastProtocol = newProtocol
    if (newMetaData) lastMetaData = newMetaData
    if (txn) transactions.set(txn.appId, txn)
    if (domain?.removed === true) domains.delete(domain.domain)
    else if (domain) domains.set(domain.domain, domain)
    if (!add) continue
    files.set(add.path, add)
    tombstones.delete(add.path)
  }
  return { version, protocol: lastProtocol, metaData: lastMetaData, files, tombstones, transactions, domains }
}

export function isWhole(snapshot: PartialSnapshot): snapshot is ReplayedLog {
  return snapshot.protocol !== null && snapshot.metaData !== null
}

/** Null if the statistics don't say. */
export function countRows({ stats }: Pick<AddFile, 'stats'>): number | null {
  if (!stats) return null
  const { numRecords } = JSON.parse(stats) as { readonly numRecords?: unknown }
  return typeof numRecords === 'number' ? numRecords : null
}
