/** How a storage keeps written objects. The bucket's defaults apply to missing members. */
export interface ObjectSettings {
  readonly encryption?: (typeof encryptions)[number] | undefined
  readonly kmsKey?: string | undefined
  readonly storageClass?: (typeof storageClasses)[number] | undefined
}

export const encryptions = ['AES256', 'aws:kms'] as const

/** The classes whose objects can be read at once: the next run does that. */
export const storageClasses = ['STANDARD', 'STANDARD_IA', 'ONEZONE_IA', 'INTELLIGENT_TIERING', 'GLACIER_IR'] as const

/** The request members that set the encryption, storage class and content type of a new object. */
export function toObjectHeaders(path: string, { encryption, kmsKey, storageClass }: ObjectSettings) {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const contentType = contentTypes[name.slice(name.lastIndexOf('.') + 1)]
  const algorithm = kmsKey === undefined ? encryption : 'aws:kms'
  // Manifests, rejects and journals are replaced with every run.
  const ownClass = /^[._]/.test(name) ? undefined : storageClass
  return {
    ...(contentType && { ContentType: contentType }),
    ...(algorithm && { ServerSideEncryption: algorithm }),
    ...(kmsKey && { SSEKMSKeyId: kmsKey }),
    ...(ownClass && { StorageClass: ownClass }),
  }
}

const contentTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  html: 'text/html; charset=utf-8',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  gz: 'application/gzip',
}
