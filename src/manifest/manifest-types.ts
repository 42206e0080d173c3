/* Made from the zod schemas by `npm run docs`. */
// oxlint-disable max-lines

/** The report of a published run, which its manifest holds. */
export interface Manifest {
  readonly pipeline: string
  /** The same for the same input, config and version. */
  readonly runId: string
  readonly tool: {
    readonly name: string
    readonly version: string
    readonly kernel?: 'native' | 'wasm' | 'reference' | undefined
  }
  /** The version of the shape of this report. */
  readonly format: number
  readonly contract: {
    readonly name: string
    readonly version: number
  }
  readonly configHash: string
  /** What of the config selects records and rows: a hash of each key, by its path. */
  readonly selection?: Readonly<Record<string, string>> | undefined
  readonly inputDigest: string
  readonly sources: readonly {
    readonly name: string
    readonly lines: number
    /** Decompressed. */
    readonly bytes: number
    readonly completeness: {
      readonly status: 'proven' | 'unprovable' | 'incomplete'
      /** The reasons, one sentence each; empty when proven. */
      readonly reasons: readonly string[]
      /** The total that the stream states, if any. */
      readonly total: number | null
      /** The most lines that a sample was to read, on purpose (--limit): it is incomplete by that alone. */
      readonly limit?: number | undefined
    }
    /** For a file that fetch landed. */
    readonly landed?:
      | {
          readonly endpoint: string
          readonly baseUrl: string
          /** ISO 8601, UTC. */
          readonly fetchedAt: string
          readonly sha256: string
        }
      | undefined
    readonly notes?:
      | {
          /** For the service, by its clock. */
          readonly firstAnswerAt?: string | null | undefined
          /** Requests that were sent, repeated ones included. */
          readonly requests?: number | undefined
          /** How long requests waited before they were sent, all together. */
          readonly waitedMs?: number | undefined
          /** Requests that were repeated, with the reason. */
          readonly repeats: readonly string[]
          /** Changes in the result while it was read. */
          readonly changes: readonly string[]
          readonly skippedRecords: number
          /** The reason why the service refused a request for records by their ids; the run continued without. */
          readonly refused?: string | undefined
          readonly missing: readonly {
            readonly key: string
            readonly asked: number
            readonly missing: readonly string[]
            readonly inFile?:
              | readonly {
                  readonly line: number
                  readonly written: string
                }[]
              | undefined
          }[]
        }
      | undefined
  }[]
  readonly sourceIds?:
    | {
        readonly file: string
        /** Its name, or its number from 1. */
        readonly column: string | number | null
        /** Its filter key, or several of a list with columns. */
        readonly field: string
        /** The column of each key, in the order in which they are tried. */
        readonly columns?: Readonly<Record<string, string | number>> | undefined
        readonly rows: number
        readonly identifiers: number
        readonly repaired: number
        readonly repeated: number
        readonly empty: number
        /** Entries that are no identifiers. */
        readonly bad?: number | undefined
        /** 0 if files are read. */
        readonly requests: number
      }
    | undefined
  /** ISO 8601, UTC. */
  readonly startedAt: string
  /** ISO 8601, UTC. */
  readonly finishedAt: string
  readonly durationMs: number
  /** The stretches of the run in their order, up to the publication. */
  readonly stages: readonly {
    readonly name: 'prepare' | 'find duplicates' | 'read and encode' | 'finish outputs'
    readonly ms: number
  }[]
  readonly ledger: {
    /** Blank + rejected + filtered + duplicate + accepted. */
    readonly lines: number
    readonly blank: number
    readonly rejected: number
    readonly filtered: number
    readonly duplicate: number
    /** The rows of the root table. */
    readonly accepted: number
    readonly repeatedIds: number
  }
  readonly completeness: {
    readonly status: 'proven' | 'unprovable' | 'incomplete'
    /** The reasons, one sentence each; empty when proven. */
    readonly reasons: readonly string[]
    /** The total that the stream states, if any. */
    readonly total: number | null
    /** The most lines that a sample was to read, on purpose (--limit): it is incomplete by that alone. */
    readonly limit?: number | undefined
  }
  readonly drift: {
    readonly unknownFields: Readonly<Record<string, number>>
    readonly unknownValues: Readonly<Record<string, Readonly<Record<string, number>>>>
    readonly otherLocales: Readonly<Record<string, number>>
    /** Codes without the digits that their contract asks for, by path. */
    readonly oddCodes: Readonly<Record<string, Readonly<Record<string, number>>>>
    /** Nulls among the elements of lists, by path; in a list of objects they give no row. */
    readonly nullElements: Readonly<Record<string, number>>
    /** Values of a wrong type that became null (contract.invalidValues: null), by path. */
    readonly invalidValues: Readonly<Record<string, Readonly<Record<string, number>>>>
    /** Keys that come twice in an object of a record, by path; the last one counts. */
    readonly duplicateKeys: Readonly<Record<string, number>>
  }
  readonly tables: readonly {
    readonly name: string
    readonly rows: number
    readonly filtered: number
    /** Columns whose values the contract lists. */
    readonly choices?: readonly string[] | undefined
    /** Rows of its files, if they are the lines of a list (`order: list`); `rows` are those of products. */
    readonly listLines?: number | undefined
  }[]
  /** Conditions in the order written: those with table null add up to ledger.filtered, those of a table to its filtered. */
  readonly filteredBy?:
    | readonly {
        /** The table whose elements it is on; null for records. */
        readonly table: string | null
        /** The key of the config. */
        readonly by: 'where' | 'sourceIds' | 'source.filter'
        readonly path: string
        /** As the config says it. */
        readonly condition: string
        /** Rows that fail it and none before it. */
        readonly filtered: number
      }[]
    | undefined
  /** What the config did probably not mean: conditions that nothing met, for instance; absent if there are none. */
  readonly doubts?:
    | readonly {
        readonly kind: 'condition' | 'keys' | 'locale' | 'values' | 'speed'
        /** Wrong: the outputs are empty; look: they may not hold what was meant. */
        readonly severity: 'wrong' | 'look' | 'note'
        /** How many records, rows or values it is about. */
        readonly count: number
        /** In words. */
        readonly text: string
        /** Values of the source that were probably meant. */
        readonly near?: readonly string[] | undefined
        /** Some that occur, if none is near. */
        readonly values?: readonly string[] | undefined
      }[]
    | undefined
  /** The rules of the config, in its order, with what was found; absent if there is none. */
  readonly rules?:
    | readonly {
        readonly table: string
        /** Absent for a rule on rows or records. */
        readonly column?: string | undefined
        readonly rule: 'range' | 'in' | 'not' | 'matches' | 'filled' | 'unique' | 'rows' | 'volume' | 'ratio'
        /** Error: with this rule broken nothing is published. */
        readonly severity: 'warn' | 'error'
        /** Unjudged: a rule on the number of rows, in a run that read a part of them; or one on earlier runs, if they are too few. */
        readonly result: 'kept' | 'broken' | 'unjudged'
        /** In words. */
        readonly expected: string
        /** How many values break it, or rows without one; 0 for a rule on rows. */
        readonly count: number
        /** In words, without values. */
        readonly found: string
        /** For the rule volume: the records found, and the numbers that it allows, both included. */
        readonly records?:
          | {
              readonly found: number
              readonly lowest: number
              readonly highest: number
            }
          | undefined
        /** Values that break it, as in the profile: the most frequent, or the least and the greatest. */
        readonly examples?: readonly (string | number | boolean)[] | undefined
        /** The first records that break it. */
        readonly ids?: readonly string[] | undefined
        /** How many of them brokenRows lists, the first thousand at most. */
        readonly listed?: number | undefined
      }[]
    | undefined
  /** What was published. */
  readonly files: readonly {
    readonly table: string
    readonly format: 'csv' | 'ndjson' | 'parquet' | 'xlsx'
    readonly path: string
    readonly rows: number
    readonly bytes: number
    readonly sha256: string
    readonly columns: readonly {
      readonly name: string
      readonly type: string
      readonly from: string
      /** For money: as delivered, or an amount made from a number of cents or units. */
      readonly unit?: 'delivered' | 'cents' | 'units' | undefined
      /** For a date that is made from a timestamp: the time zone of the day. */
      readonly timezone?: string | undefined
    }[]
    /** For csv: its options that are not the default ones. */
    readonly dialect?:
      | {
          readonly delimiter?: string | undefined
          readonly quote?: string | undefined
          readonly quoteAll?: boolean | undefined
          readonly bom?: boolean | undefined
          readonly lineBreak?: 'lf' | 'crlf' | undefined
          readonly escapeFormulas?: boolean | undefined
          readonly header?: boolean | undefined
          readonly listSeparator?: string | undefined
          readonly decimalSeparator?: '.' | ',' | undefined
        }
      | undefined
    readonly mode?: 'snapshot' | 'append' | 'changes' | 'merge' | 'history' | undefined
    /** With mode changes: the run whose changes it holds. */
    readonly run?: string | undefined
    /** With mode changes: the run whose changes come right before; null if it holds every record there is. */
    readonly previousRun?: string | null | undefined
    /** With mode changes: a hash of what the config says of the rows. */
    readonly shape?: string | undefined
    /** The path without folders of partitions and numbers of parts. */
    readonly base?: string | undefined
    /** For xlsx: the sheets of this table; other tables of the same workbook are listed with the same path. */
    readonly sheets?:
      | readonly {
          readonly name: string
          /** Below the header. */
          readonly rows: number
        }[]
      | undefined
    /** For xlsx: how many texts were cut to the 32767 characters of a cell, by column. */
    readonly cutTexts?: Readonly<Record<string, number>> | undefined
  }[]
  /** For a stateful pipeline: what the next run starts from. */
  readonly state?:
    | {
        readonly format: 3
        readonly kind: 'full' | 'delta'
        readonly startedAt: string
        readonly lastFullAt: string | null
        readonly service?: string | null | undefined
        readonly syncedUntil: string | null
        readonly asked: {
          readonly field: string
          readonly since: string
          readonly until: string | null
        } | null
        readonly changes: {
          readonly new: number
          readonly changed: number
          readonly touched: number
          readonly unchanged: number
          readonly removed: number
        } | null
        readonly records: {
          readonly path: string
          readonly bytes: number
          readonly sha256: string
        } | null
        readonly tables: readonly {
          readonly table: string
          readonly mode: 'merge' | 'history'
          readonly columns: readonly {
            readonly name: string
            readonly type: string
            /** For money: as delivered, or an amount made from a number of cents or units. */
            readonly unit?: 'delivered' | 'cents' | 'units' | undefined
            /** For a date that is made from a timestamp: the time zone of the day. */
            readonly timezone?: string | undefined
          }[]
          readonly files: readonly {
            readonly path: string
            readonly bytes: number
            readonly sha256: string
          }[]
          readonly isBehind?: true | undefined
          readonly since?: string | undefined
        }[]
        readonly leftTables?:
          | readonly {
              readonly table: string
              readonly mode: 'merge' | 'history'
              readonly columns: readonly {
                readonly name: string
                readonly type: string
                /** For money: as delivered, or an amount made from a number of cents or units. */
                readonly unit?: 'delivered' | 'cents' | 'units' | undefined
                /** For a date that is made from a timestamp: the time zone of the day. */
                readonly timezone?: string | undefined
              }[]
              readonly files: readonly {
                readonly path: string
                readonly bytes: number
                readonly sha256: string
              }[]
              readonly isBehind?: true | undefined
              readonly since?: string | undefined
            }[]
          | undefined
        readonly obsoleteFiles: readonly string[]
        readonly backfill?:
          | {
              readonly from: string
              readonly to: string
              readonly window: string
              readonly since: string
              readonly until: string
              readonly done: string
            }
          | undefined
        readonly stale?:
          | {
              readonly records: number
              readonly ids: readonly string[]
            }
          | undefined
        readonly needsFull?: string | null | undefined
      }
    | undefined
  /** Removals beyond maxRemoved after an edit of the config; absent if there is none. */
  readonly editLosses?:
    | readonly {
        /** What was removed: records, rows of a table, or records of a database. */
        readonly of: string
        readonly removed: number
        readonly before: number
        /** The keys of the config that are not as they were. */
        readonly changed: readonly string[]
      }[]
    | undefined
  /** The first hundred removed records, as they were last seen. */
  readonly removedRecords?:
    | readonly {
        readonly id: string
        readonly status: string | null
        readonly replacement: string | null
      }[]
    | undefined
  readonly databases?:
    | readonly {
        /** Where it is, without credentials. */
        readonly target: string
        /** For tables in a lake. */
        readonly format?: 'delta' | 'iceberg' | undefined
        /** The address of the catalog that these tables are in. */
        readonly catalog?: string | undefined
        readonly mode: 'snapshot' | 'append' | 'merge' | 'history'
        readonly changes: {
          readonly new: number
          readonly changed: number
          readonly touched: number
          readonly unchanged: number
          readonly removed: number
        }
        readonly tables: readonly {
          readonly name: string
          readonly rowsWritten: number
          /** Of the table in a lake, after the run. */
          readonly version?: number | undefined
          /** The id of the snapshot, of an Iceberg table. */
          readonly snapshot?: string | undefined
          /** Rows that the pipeline has never loaded: they stay. */
          readonly foreignRows?: number | undefined
        }[]
        /** Tables that had another number of rows than the load before had left. */
        readonly differences?:
          | readonly {
              readonly table: string
              readonly expected: number
              readonly got: number
            }[]
          | undefined
      }[]
    | undefined
  /** The tables of outputs of the config's own, which are committed; absent if there are none. */
  readonly ownOutputs?:
    | readonly {
        readonly output: string
        readonly table: string
        readonly rows: number
      }[]
    | undefined
  readonly rejects: {
    readonly path: string
    readonly count: number
    /** The most frequent first, at most a thousand and one more of code "other" for the rest. */
    readonly reasons?:
      | readonly {
          readonly code: string
          /** Without the positions of lists; empty for the whole line. */
          readonly path: string
          /** Lines; one with several reasons counts for each. */
          readonly count: number
          /** The first half of the message. */
          readonly expected: string
        }[]
      | undefined
    /** Records rejected for values of a wrong type only, which contract.invalidValues: null would have kept. */
    readonly wrongValues?:
      | {
          readonly records: number
          readonly paths: Readonly<Record<string, number>>
        }
      | undefined
  }
  /** The corrected lines that took the place of rejected ones, and the file that they are from. */
  readonly replayed?:
    | {
        readonly path: string
        readonly lines: number
      }
    | undefined
  /** What the table of `rejects.corrections` did; absent without one. */
  readonly corrected?:
    | {
        /** The table. */
        readonly path: string
        /** Its corrections. */
        readonly rows: number
        /** Corrections that lines needed. */
        readonly used: number
        /** Values that were corrected. */
        readonly lines: number
        /** The first hundred others; with a reason if their line is rejected in spite of them, else the source is right or has no such line. */
        readonly unused: readonly {
          readonly id: string
          readonly path: string
          readonly reason?: string | undefined
        }[]
      }
    | undefined
  /** Present for `run --as-of`: the moment whose rows the files hold, which come from a history. */
  readonly asOf?:
    | {
        /** ISO 8601, UTC. */
        readonly at: string
        /** The run that published the history. */
        readonly runId: string | null
      }
    | undefined
  /** The run whose outputs this one replaced. */
  readonly previous?:
    | {
        readonly runId: string
        readonly finishedAt: string
        readonly rejected: number
        /** Published rows, if they are known. */
        readonly tables: readonly {
          readonly name: string
          readonly rows: number
        }[]
        /** What was found beyond the contract, without counts. */
        readonly drift: {
          readonly unknownFields: readonly string[]
          readonly unknownValues: Readonly<Record<string, readonly string[]>>
          readonly otherLocales: readonly string[]
          readonly oddCodes: readonly string[]
          readonly nullElements: readonly string[]
          readonly invalidValues: readonly string[]
          readonly duplicateKeys: readonly string[]
        }
      }
    | undefined
  /** The page that shows this report. */
  readonly report?:
    | {
        readonly path: string
      }
    | undefined
  /** The CSV file of identifiers of a list that were not found. */
  readonly missingIds?:
    | {
        readonly path: string
        readonly rows: number
        readonly bytes: number
        readonly sha256: string
        /** Identifiers that no record has. */
        readonly notFound: number
        /** Entries that are no identifiers. */
        readonly bad: number
        /** Identifiers of records that are published. */
        readonly found?: number | undefined
        /** Identifiers of records that a condition left out, and of no other; absent for none. */
        readonly filtered?: number | undefined
        /** The same of records left out for their repeated id. */
        readonly duplicate?: number | undefined
        /** The same of rejected lines. */
        readonly rejected?: number | undefined
        /** Lines of a list that are matched one by one: all counts are of lines then. */
        readonly lines?: number | undefined
        /** Lines with a code whose check digit is wrong, and without a product. */
        readonly wrongCheckDigit?: number | undefined
        /** Lines of inactive products that a condition on the status left out. */
        readonly inactive?: number | undefined
        /** Lines of replaced products that a condition left out. */
        readonly replaced?: number | undefined
        /** Lines whose codes are on several published products. */
        readonly ambiguous?: number | undefined
        /** Lines without any code. */
        readonly empty?: number | undefined
      }
    | undefined
  /** The CSV file of the rows that break rules; absent if none does. */
  readonly brokenRows?:
    | {
        readonly path: string
        readonly rows: number
        readonly bytes: number
        readonly sha256: string
      }
    | undefined
  /** The file of filled shares, bounds and frequent values of every column. */
  readonly profile?:
    | {
        readonly path: string
        readonly bytes: number
        readonly sha256: string
      }
    | undefined
  /** The data package that describes the files; present for `dataPackage: true`. */
  readonly dataPackage?:
    | {
        readonly path: string
        readonly bytes: number
        readonly sha256: string
      }
    | undefined
  /** Files that an earlier config of the pipeline left, as they were published; --prune removes them. */
  readonly leftFiles?:
    | readonly {
        readonly path: string
        readonly bytes: number
        readonly sha256: string
        readonly table?: string | undefined
        readonly mode?: 'snapshot' | 'append' | 'changes' | 'merge' | 'history' | undefined
        /** The path without folders of partitions and numbers of parts. */
        readonly base?: string | undefined
      }[]
    | undefined
  /** Those that are removed once this manifest is in place. */
  readonly prunedFiles?:
    | readonly {
        readonly path: string
        readonly bytes: number
        readonly sha256: string
        readonly table?: string | undefined
        readonly mode?: 'snapshot' | 'append' | 'changes' | 'merge' | 'history' | undefined
        /** The path without folders of partitions and numbers of parts. */
        readonly base?: string | undefined
      }[]
    | undefined
  readonly manifest: string
  /** The plan whose shards were added up; files are listed by shard. */
  readonly plan?:
    | {
        readonly planId: string
        readonly shards: number
      }
    | undefined
  readonly notes?: readonly string[] | undefined
}

/** A line of the rejects file, without the text of the record. */
export interface RejectedRecord {
  readonly source: string
  readonly line: number
  readonly byteOffset: number | null
  readonly index: number | null
  readonly id: string | null
  readonly issues: readonly {
    readonly code: string
    readonly path: string
    readonly message: string
    readonly at?: number | undefined
  }[]
  readonly sha256: string
}

/** A line as text; as base64 if it is no UTF-8; only its beginning if it is long. */
export type RawText =
  | {
      readonly raw: string
      readonly rawTruncated: true
      readonly rawBytes: number
    }
  | {
      readonly raw: string
    }
  | {
      readonly rawBase64: string
    }

/** How a CSV file is written. */
export interface CsvDialect {
  readonly delimiter: string
  readonly quote: string
  readonly quoteAll: boolean
  readonly bom: boolean
  readonly lineBreak: 'lf' | 'crlf'
  readonly escapeFormulas: boolean
  readonly header: boolean
  readonly listSeparator: string
  readonly decimalSeparator: '.' | ','
}

/** A run of the past, as the history of its pipeline has it. */
export interface PastRun {
  /** The name of the run in logs; unique. */
  readonly run: string
  /** As in the manifest; absent if the run failed before its end. */
  readonly runId?: string | undefined
  /** The version of the tool. */
  readonly version: string
  /** What a published run has read: everything, what changed, a span of time, or a sample by --limit; absent if the run failed. */
  readonly kind?: 'full' | 'delta' | 'backfill' | 'sample' | undefined
  /** ISO 8601, UTC. */
  readonly startedAt: string
  /** ISO 8601, UTC. */
  readonly finishedAt: string
  readonly durationMs: number
  /** Published, or the code of the error. */
  readonly outcome: string
  readonly exitCode: number
  readonly completeness?: 'proven' | 'unprovable' | 'incomplete' | undefined
  /** Absent, as all that follows, if the run failed before its end. */
  readonly ledger?:
    | {
        /** Blank + rejected + filtered + duplicate + accepted. */
        readonly lines: number
        readonly blank: number
        readonly rejected: number
        readonly filtered: number
        readonly duplicate: number
        /** The rows of the root table. */
        readonly accepted: number
        readonly repeatedIds: number
      }
    | undefined
  /** The records that the outputs hold after a published run; absent if the run failed or that is unknown. */
  readonly records?: number | undefined
  /** The rows that a published run wrote, by table. */
  readonly tables?:
    | Readonly<
        Record<
          string,
          {
            readonly rows: number
            /** Of its files. */
            readonly bytes: number
          }
        >
      >
    | undefined
  /** The changes of an incremental pipeline, or of databases. */
  readonly loads?:
    | readonly {
        /** The database or lake, without credentials; null for the files. */
        readonly target: string | null
        readonly new: number
        readonly changed: number
        readonly touched: number
        readonly removed: number
      }[]
    | undefined
  /** What was found beyond the contract. */
  readonly drift?:
    | {
        readonly unknownFields: Readonly<Record<string, number>>
        readonly unknownValues: Readonly<Record<string, Readonly<Record<string, number>>>>
      }
    | undefined
  /** The results of the rules of the config. */
  readonly rules?:
    | {
        readonly kept: number
        readonly unjudged: number
        readonly broken: readonly {
          readonly table: string
          readonly column?: string | undefined
          readonly rule: string
          readonly severity: 'warn' | 'error'
          /** How many values break it; 0 for a rule on rows or records. */
          readonly count: number
          /** For the rule volume: the records found, and the numbers that it allows, both included. */
          readonly records?:
            | {
                readonly found: number
                readonly lowest: number
                readonly highest: number
              }
            | undefined
        }[]
      }
    | undefined
  /** The run in files of outputs with mode changes, their column _run; absent if this run wrote none. */
  readonly changesRun?: string | undefined
  /** A digest of the profile, by table and column. */
  readonly profile?:
    | Readonly<
        Record<
          string,
          Readonly<
            Record<
              string,
              {
                /** The share of rows with a value, 0 to 1. */
                readonly filled: number
                /** Distinct values, if they were counted. */
                readonly distinct?: number | undefined
                /** Without distinct; texts cut after 24 characters. */
                readonly min?: string | number | boolean | undefined
                readonly max?: string | number | boolean | undefined
              }
            >
          >
        >
      >
    | undefined
  /** True if entries were left out, as the line would be too long. */
  readonly isCut?: true | undefined
}

/** The manifest of a file that `fetch` landed. */
export interface LandingManifest {
  readonly kind: 'landing'
  readonly format: 1
  readonly tool: {
    readonly name: string
    readonly version: string
  }
  readonly pipeline: string
  readonly contract: {
    readonly name: string
    readonly version: number
  }
  readonly endpoint: string
  readonly baseUrl: string
  readonly request: {
    readonly method: 'GET' | 'POST'
    readonly path: string
    readonly filter: unknown
    readonly alternatives?: readonly unknown[] | undefined
    readonly sorting: unknown
    readonly page: unknown
    readonly partition: unknown
    readonly sourceIds?:
      | {
          readonly file: string
          readonly field: string
        }
      | undefined
  }
  readonly startedAt: string
  readonly finishedAt: string
  readonly firstAnswerAt: string | null
  readonly lines: number
  readonly bytes: number
  readonly file: {
    readonly bytes: number
    readonly sha256: string
  }
  readonly completeness: {
    readonly status: 'proven' | 'unprovable' | 'incomplete'
    /** The reasons, one sentence each; empty when proven. */
    readonly reasons: readonly string[]
    /** The total that the stream states, if any. */
    readonly total: number | null
    /** The most lines that a sample was to read, on purpose (--limit): it is incomplete by that alone. */
    readonly limit?: number | undefined
  }
  readonly notes: {
    /** Requests that were sent, repeated ones included. */
    readonly requests?: number | undefined
    /** How long requests waited before they were sent, all together. */
    readonly waitedMs?: number | undefined
    /** Requests that were repeated, with the reason. */
    readonly repeats: readonly string[]
    /** Changes in the result while it was read. */
    readonly changes: readonly string[]
    readonly skippedRecords: number
    /** The reason why the service refused a request for records by their ids; the run continued without. */
    readonly refused?: string | undefined
    readonly missing: readonly {
      readonly key: string
      readonly asked: number
      readonly missing: readonly string[]
      readonly inFile?:
        | readonly {
            readonly line: number
            readonly written: string
          }[]
        | undefined
    }[]
  }
}

/** What a run reads of the manifest of a landed file. */
export interface Landing {
  readonly format: 1
  readonly pipeline: string
  readonly contract: {
    readonly name: string
    readonly version: number
  }
  readonly endpoint: string
  readonly baseUrl: string
  readonly request: {
    readonly filter: unknown
    readonly alternatives?: readonly unknown[] | undefined
    readonly sourceIds?:
      | {
          readonly file: string
          readonly field: string
        }
      | undefined
  }
  readonly startedAt: string
  readonly firstAnswerAt: string | null
  readonly file: {
    readonly bytes: number
    readonly sha256: string
  }
  readonly completeness: {
    readonly status: 'proven' | 'unprovable' | 'incomplete'
    /** The reasons, one sentence each; empty when proven. */
    readonly reasons: readonly string[]
    /** The total that the stream states, if any. */
    readonly total: number | null
    /** The most lines that a sample was to read, on purpose (--limit): it is incomplete by that alone. */
    readonly limit?: number | undefined
  }
  readonly notes: {
    /** Requests that were sent, repeated ones included. */
    readonly requests?: number | undefined
    /** How long requests waited before they were sent, all together. */
    readonly waitedMs?: number | undefined
    /** Requests that were repeated, with the reason. */
    readonly repeats: readonly string[]
    /** Changes in the result while it was read. */
    readonly changes: readonly string[]
    readonly skippedRecords: number
    /** The reason why the service refused a request for records by their ids; the run continued without. */
    readonly refused?: string | undefined
    readonly missing: readonly {
      readonly key: string
      readonly asked: number
      readonly missing: readonly string[]
      readonly inFile?:
        | readonly {
            readonly line: number
            readonly written: string
          }[]
        | undefined
    }[]
  }
}
