/* Made from the zod schema by `npm run docs`. */
/* oxlint-disable typescript/no-explicit-any -- functions of users have types of their own */
import type { StandardSchema } from '../contracts/standard-schema.ts'
import type { OpenOwnOutput } from '../records/own-output.ts'

/** A pipeline config as it is written: everything but `name` and `source` may be left out. */
export interface PipelineConfig {
  /** The JSON Schema of this file, for editors. */
  $schema?: string | undefined
  /** Names the pipeline, with letters, digits, - and _; {pipeline} in paths. */
  name: string
  /** The records: files, or an endpoint of the service. */
  source: {
    /** A path or glob, or a list of them, of NDJSON or JSON files, also in a bucket (s3://…); - is standard input. Gzip is recognized by its content. */
    files?: string | string[] | undefined
    /** ndjson, or json for one document, {meta, results: […]} or a list; auto looks at the beginning. Default `"auto"`. */
    format?: 'auto' | 'ndjson' | 'json' | undefined
    /** true: the files together are one stream; false: each file is a stream of its own. Default `false`. */
    parts?: boolean | undefined
    /** An endpoint of the service, v4/products/stream for instance. */
    endpoint?: string | undefined
    /** The address of the service, before /v3 or /v4; best ${CATALOGUE_URL}. */
    baseUrl?: string | undefined
    /** The id of the key; best ${CATALOGUE_KEY_ID}. */
    keyId?: string | undefined
    /** The secret of the key, never printed; best ${CATALOGUE_KEY_SECRET}. */
    keySecret?: string | undefined
    /** The records to request, by the filter keys of the endpoint, by default all; several keys are combined with and; and, or, not combine groups. Dates are unix seconds, 2026-01-01 or -24h. */
    filter?: Record<string, unknown> | undefined
    /** The order, one key such as { id: ASC }; by default that of the endpoint. */
    sorting?: Record<string, unknown> | undefined
    /** The pages of a paged endpoint; by default all, in the largest size. */
    page?:
      | {
          /** The first page to read, from 0; with more than 0 a part is read on purpose. */
          no?: number | string | undefined
          /** The records of a page: 10, 50, 100 or 250. */
          size?: number | string | undefined
        }
      | undefined
    /** Read a stream in windows of time, several at once; only windows that fail are requested again. */
    partition?:
      | {
          /** The time that divides the records. */
          by: 'createdAt'
          /** The number of windows, such as 12. */
          windows: number | string
          /** The number of windows that are read at once; by default 4. */
          concurrency?: number | string | undefined
        }
      | undefined
    /** The User-Agent header of requests; by default the name and version of this tool. */
    userAgent?: string | undefined
    /** How many requests with this key, from all sources of the process, may reach the service in any minute; a request counts until a minute after its answer began. By default 100; lower it where other programs use the key too. */
    requestsPerMinute?: number | string | undefined
    /** How long to wait for a connection, for the first byte, between two pieces, by default 10s, 2m and 1m; there is no limit on the whole. */
    timeouts?:
      | {
          /** For a connection; by default 10s. */
          connect?: number | string | undefined
          /** For the head of an answer; by default 2m. */
          firstByte?: number | string | undefined
          /** Between two pieces of an answer; by default 1m. */
          idle?: number | string | undefined
        }
      | undefined
    /** How often a failed request is repeated; by default 5. */
    retries?: number | string | undefined
    /** One of v4/product, v4/media, v4/photo, v4/frontal, v4/media-link, v4/description, v4/leaflet, v4/news-item, v4/correction, v4/active-ingredient, v4/organization, v4/brand, v4/product-family, v4/public-category, v4/catalog-category, v4/apb-category, v4/bcfi-category, v4/galenic-shape, v4/dietary-restriction, v4/color, v4/species, v4/attribute, v3/product, v3/news-item, v3/correction, v3/active-ingredient, v3/organization, v3/brand, v3/public-category, v3/apb-category, v3/bcfi-category, v3/attribute, product, raw; an endpoint knows its own. */
    contract?: string | undefined
    /** With contract: product, the version of the interface that the records in files came from; by default found in them. Standard input needs it. */
    interface?: 'v3' | 'v4' | undefined
    /** A longer line is rejected; by default 16 MiB. */
    maxLineBytes?: number | string | undefined
  }
  /** A list of identifiers to request, in addition to source.filter; for files, the records to keep. */
  sourceIds?:
    | {
        /** A CSV file, an Excel workbook (.xlsx), or a text file with an identifier on each line, in which blank lines and lines that begin with # are skipped. */
        file: string
        /** The sheet of a workbook; by default its first. */
        sheet?: string | undefined
        /** The column of a CSV file or a sheet: its name in the header, or, without a header, its number from 1; by default found in the header. */
        column?: string | number | undefined
        /** The filter key of the identifiers; by default the name of the column. */
        field?: string | undefined
        /** Instead of column: the columns of several codes by their filter keys, tried in this order for each line of the list, such as { cnk: CNK, ean: EAN }. */
        columns?: Record<string, string | number> | undefined
        /** Columns of the list that the rows get, in front and with list_ before their names: as text, or { column, as } with a type such as decimal(12,2). With it the rows are those of the list. */
        keep?:
          | (
              | string
              | number
              | {
                  /** The column of the list: its name, or its number from 1. */
                  column: string | number
                  /** The type of its values, such as integer, decimal(12,2) or date; a decimal comma is read. By default text. */
                  as?: string | undefined
                  /** What the header of an output with labels shows in place of the name: a text, or texts by locale, { nl: Prijs, fr: Prix }. */
                  label?: string | Record<string, string> | undefined
                }
            )[]
          | undefined
        /** list: tables without each have one row a line of the list, in its order, also for lines without a product; source: one row a product, as they come. By default list with keep, else source. */
        order?: 'source' | 'list' | undefined
        /** The number of digits, by default that of the code: removed zeros on the left are restored, and a longer identifier is a mistake. */
        length?: number | string | undefined
        /** The delimiter of a CSV file; by default found in its header, or its first rows. */
        delimiter?: string | undefined
        /** error: an entry that is no identifier ends the run before anything is read; report: it is left out and listed in _missing.csv. By default error, with columns, keep or order report. */
        badIdentifiers?: 'error' | 'report' | undefined
      }
    | undefined
  /** The treatment of what the contract does not know. */
  contract?:
    | {
        /** Fields that the contract does not list: counted in the report, ignored, or a reason to reject the record. Default `"report"`. */
        unknownFields?: 'report' | 'ignore' | 'reject' | undefined
        /** Values that the contract does not list: counted in the report, or a reason to reject the record. Default `"report"`. */
        unknownValues?: 'report' | 'reject' | undefined
        /** Values of a wrong type in fields that are no key: a reason to reject the record; or null, and counted in the report. Default `"reject"`. */
        invalidValues?: 'reject' | 'null' | null | undefined
        /** Fields that the contract does not list, by path, with their types: they become columns. */
        extra?:
          | Record<string, 'text' | 'code' | 'integer' | 'float' | 'boolean' | 'timestamp' | 'localized' | 'json'>
          | undefined
      }
    | undefined
  /** require: an incomplete stream publishes nothing; report: it is published and reported. Default `"require"`. */
  completeness?: 'require' | 'report' | undefined
  /** The lines of a repeated id that stay: keep all, the last (if outputs keep what they hold, the one that changed last), or reject all but the first. By default keep, if outputs keep what they hold last. */
  duplicates?: 'keep' | 'last' | 'reject' | undefined
  /** Runs read what changed since the last one, and outputs keep what they hold. */
  incremental?:
    | {
        /** The field of a record's last change. Default `"meta.updatedAt"`. */
        cursor?: string | undefined
        /** How far before the start of the last run a delta reaches; by default 1h. */
        overlap?: number | string | undefined
        /** How often a run reads everything; by default 7d. */
        fullEvery?: number | string | undefined
      }
    | undefined
  /** A count, or a share of the published records; a run that would remove more publishes nothing. By default 5%. */
  maxRemoved?: number | string | undefined
  /** The locales that become columns, by default nl, fr and en; values in others are counted. */
  locales?: string[] | undefined
  /** The time zone of as: date and of days in conditions: an IANA name such as Europe/Brussels. Default `"UTC"`. */
  timezone?: string | undefined
  /** Conditions that a record must meet, by field path; others are counted as filtered. */
  where?: Conditions | undefined
  /** A schema of your own that valid records must meet too; a record that it refuses is rejected. */
  check?:
    | {
        /** A schema of zod, valibot, arktype or any other library that keeps to Standard Schema; from YAML { use: ./steps.ts#sellable }. */
        schema:
          | {
              /** The module beside the config, and the name of its export: ./steps.ts#margin. */
              use: string
            }
          | StandardSchema
        /** The version of the schema: another one makes another config, whose runs start anew. */
        version: string
      }
    | undefined
  /** The tables by name; by default one for the records and one for each list of objects in them. */
  tables?:
    | Record<
        string,
        {
          /** A table that is computed over all records, with columns of its own: codes has a row for each code of a product, duplicates one for each product of a group that is likely one, price_periods one for each period of a price in a history; it stands alone. */
          builtin?: 'codes' | 'duplicates' | 'price_periods' | undefined
          /** One row for each element of this list: photos[], photos[].organizations[], ean[]. */
          each?: string | undefined
          /** The columns in their order: field paths, or objects that name and convert; the word all, alone or in the list, is every field. Default `"all"`. */
          columns?:
            | 'all'
            | (
                | string
                | {
                    /** The name; by default the path in snake case. */
                    column?: string | undefined
                    /** A field path such as brands[0].name or activeIngredients[].id; $ is the whole record. */
                    from?: string | undefined
                    /** In place of from, the path of a list such as photos[]: how many elements there are. */
                    count?: string | undefined
                    /** In place of from, a field path such as publicPrice or photos[]: whether there is a value. */
                    has?: string | undefined
                    /** In place of from, a function of your own that makes the value of the record, and in a table with each of the element: (record, element) => value; from YAML { use: ./steps.ts#margin }. */
                    compute?:
                      | {
                          /** The module beside the config, and the name of its export: ./steps.ts#margin. */
                          use: string
                        }
                      | ((record: any, element?: any) => unknown)
                      | undefined
                    /** With compute, the type of the column: text, integer, float, boolean, timestamp, date, json or decimal(12,2). */
                    type?: string | undefined
                    /** With compute, the version of the function: another one makes another config, whose runs start anew. */
                    version?: string | undefined
                    /** One locale of a localized field; or of a list, such as photos, the element that suits it. */
                    locale?: string | undefined
                    /** Locales to try next, the first filled one wins; `spec` is the specification's own order for images. */
                    fallback?: 'spec' | string[] | undefined
                    /** text, integer, float, boolean, timestamp, date, json or decimal(12,2). */
                    as?: string | undefined
                    /** The unit of a whole-number amount; money as decimal or float needs it. */
                    unit?: 'units' | 'cents' | undefined
                    /** With as: date, the time zone of the day; by default that of the pipeline. */
                    timezone?: string | undefined
                    /** Conditions that an element of the list in the path must meet; with locale the column is one of those elements. */
                    where?: Conditions | undefined
                    /** What the header of an output with labels shows in place of the name: a text, or texts by locale, { nl: Prijs, fr: Prix }. */
                    label?: string | Record<string, string> | undefined
                  }
              )[]
            | undefined
          /** Field paths to leave out, or the words deprecated and volatile; a column that names an excluded path stays. */
          exclude?: string[] | undefined
          /** Conditions that an element of the list in each must meet; others are counted. */
          where?: Conditions | undefined
        }
      >
    | undefined
  /** The files and databases that hold the tables; by default Parquet and CSV. */
  outputs?:
    | (
        | {
            /** One Parquet file a table. */
            format: 'parquet'
            /** May hold {pipeline} and {table}; .gz compresses CSV and NDJSON; s3://… is in a bucket. Default `"out/{pipeline}/{table}.parquet"`. */
            path?: string | undefined
            /** The tables that this output holds; by default all. */
            tables?: string[] | undefined
            /** The compression of pages. Default `"zstd"`. */
            compression?: 'zstd' | 'snappy' | 'gzip' | 'none' | undefined
            /** The most rows of a row group, by default 100,000; one also ends at 8 MiB of columnar data, less if a run writes more than six Parquet files. */
            rowGroupRows?: number | string | undefined
            /** snapshot: what this run read; append: what every run brought; changes: what every run changed, with removals; merge: each record as it is now; history: every version. By default snapshot, with incremental merge. */
            mode?: 'snapshot' | 'append' | 'changes' | 'merge' | 'history' | undefined
            /** With merge: rows of a removed record are dropped, the default, or marked with _removed_at. */
            removed?: 'drop' | 'mark' | undefined
            /** With changes: records whose content is the same, but not updatedAt, are among them, too. Default false. */
            touched?: boolean | undefined
            /** Columns whose values become folders such as status=active; a table without them has none. */
            partitionBy?: string[] | undefined
            /** The number of rows after which another file begins. */
            rowsPerFile?: number | string | undefined
            /** The same by size, such as 256MB. */
            bytesPerFile?: number | string | undefined
          }
        | {
            /** One CSV file a table. */
            format: 'csv'
            /** May hold {pipeline} and {table}; .gz compresses CSV and NDJSON; s3://… is in a bucket. Default `"out/{pipeline}/{table}.csv"`. */
            path?: string | undefined
            /** The tables that this output holds; by default all. */
            tables?: string[] | undefined
            /** The character between cells. Default `","`. */
            delimiter?: string | undefined
            /** The quote character. Default `"\""`. */
            quote?: string | undefined
            /** Quote every cell that is not null. Default `false`. */
            quoteAll?: boolean | undefined
            /** Begin with a byte order mark, which spreadsheets need to recognize UTF-8. Default `false`. */
            bom?: boolean | undefined
            /** The end of a line. Default `"lf"`. */
            lineBreak?: 'lf' | 'crlf' | undefined
            /** Put an apostrophe before text that a spreadsheet would run as a formula. Default `false`. */
            escapeFormulas?: boolean | undefined
            /** Begin with the names of the columns. Default `true`. */
            header?: boolean | undefined
            /** The locale of the labels that the header has, such as nl; by default it has the names of the columns. */
            labels?: string | undefined
            /** The character between the values of a list. Default `"|"`. */
            listSeparator?: string | undefined
            /** The sign before the fraction of a number; a comma needs another delimiter, such as ;. Default `"."`. */
            decimalSeparator?: '.' | ',' | undefined
            /** snapshot: what this run read; append: what every run brought; changes: what every run changed, with removals; merge: each record as it is now; history: every version. By default snapshot, with incremental merge. */
            mode?: 'snapshot' | 'append' | 'changes' | 'merge' | 'history' | undefined
            /** With merge: rows of a removed record are dropped, the default, or marked with _removed_at. */
            removed?: 'drop' | 'mark' | undefined
            /** With changes: records whose content is the same, but not updatedAt, are among them, too. Default false. */
            touched?: boolean | undefined
            /** Columns whose values become folders such as status=active; a table without them has none. */
            partitionBy?: string[] | undefined
            /** The number of rows after which another file begins. */
            rowsPerFile?: number | string | undefined
            /** The same by size, such as 256MB. */
            bytesPerFile?: number | string | undefined
          }
        | {
            /** One file of JSON objects a table, one on each line. */
            format: 'ndjson'
            /** May hold {pipeline} and {table}; .gz compresses CSV and NDJSON; s3://… is in a bucket. Default `"out/{pipeline}/{table}.ndjson"`. */
            path?: string | undefined
            /** The tables that this output holds; by default all. */
            tables?: string[] | undefined
            /** snapshot: what this run read; append: what every run brought; changes: what every run changed, with removals; merge: each record as it is now; history: every version. By default snapshot, with incremental merge. */
            mode?: 'snapshot' | 'append' | 'changes' | 'merge' | 'history' | undefined
            /** With merge: rows of a removed record are dropped, the default, or marked with _removed_at. */
            removed?: 'drop' | 'mark' | undefined
            /** With changes: records whose content is the same, but not updatedAt, are among them, too. Default false. */
            touched?: boolean | undefined
            /** Columns whose values become folders such as status=active; a table without them has none. */
            partitionBy?: string[] | undefined
            /** The number of rows after which another file begins. */
            rowsPerFile?: number | string | undefined
            /** The same by size, such as 256MB. */
            bytesPerFile?: number | string | undefined
          }
        | {
            /** One workbook, a sheet a table. */
            format: 'xlsx'
            /** May hold {pipeline} and {table}; .gz compresses CSV and NDJSON; s3://… is in a bucket. Default `"out/{pipeline}/{pipeline}.xlsx"`. */
            path?: string | undefined
            /** The tables that this output holds; by default all. */
            tables?: string[] | undefined
            /** The locale of the labels that the header has, such as nl; by default it has the names of the columns. */
            labels?: string | undefined
            /** snapshot: what this run read; append: what every run brought; changes: what every run changed, with removals; merge: each record as it is now; history: every version. By default snapshot, with incremental merge. */
            mode?: 'snapshot' | 'append' | 'changes' | 'merge' | 'history' | undefined
            /** With merge: rows of a removed record are dropped, the default, or marked with _removed_at. */
            removed?: 'drop' | 'mark' | undefined
            /** With changes: records whose content is the same, but not updatedAt, are among them, too. Default false. */
            touched?: boolean | undefined
            /** Columns whose values become folders such as status=active; a table without them has none. */
            partitionBy?: string[] | undefined
            /** The number of rows after which another file begins. */
            rowsPerFile?: number | string | undefined
            /** The same by size, such as 256MB. */
            bytesPerFile?: number | string | undefined
          }
        | {
            /** Tables in PostgreSQL. */
            format: 'postgres'
            /** postgres://user:password@host:5432/database; best ${DATABASE_URL}. */
            url: string
            /** The schema of the tables; it is created if it is missing. Default `"public"`. */
            schema?: string | undefined
            /** How long a load waits for locks of others on its tables, in all; by default 1m. */
            lockTimeout?: number | string | undefined
            /** The tables that this output holds; by default all. */
            tables?: string[] | undefined
            /** snapshot: what this run read; append: what every run brought; merge: each record as it is now; history: every version. By default snapshot, with incremental merge. */
            mode?: 'snapshot' | 'append' | 'merge' | 'history' | undefined
            /** With merge: rows of a removed record are dropped, the default, or marked with _removed_at. */
            removed?: 'drop' | 'mark' | undefined
          }
        | {
            /** Tables in MariaDB. */
            format: 'mariadb'
            /** mariadb://user:password@host:3306/database; the database is created if it is missing; best ${DATABASE_URL}. */
            url: string
            /** How long a load waits for locks of others on its tables, in all; by default 1m. */
            lockTimeout?: number | string | undefined
            /** The tables that this output holds; by default all. */
            tables?: string[] | undefined
            /** snapshot: what this run read; append: what every run brought; merge: each record as it is now; history: every version. By default snapshot, with incremental merge. */
            mode?: 'snapshot' | 'append' | 'merge' | 'history' | undefined
            /** With merge: rows of a removed record are dropped, the default, or marked with _removed_at. */
            removed?: 'drop' | 'mark' | undefined
          }
        | {
            /** Tables in a DuckDB file. */
            format: 'duckdb'
            /** May hold {pipeline}. Default `"out/{pipeline}/{pipeline}.duckdb"`. */
            path?: string | undefined
            /** The schema of the tables; it is created if it is missing. Default `"main"`. */
            schema?: string | undefined
            /** The tables that this output holds; by default all. */
            tables?: string[] | undefined
            /** snapshot: what this run read; append: what every run brought; merge: each record as it is now; history: every version. By default snapshot, with incremental merge. */
            mode?: 'snapshot' | 'append' | 'merge' | 'history' | undefined
            /** With merge: rows of a removed record are dropped, the default, or marked with _removed_at. */
            removed?: 'drop' | 'mark' | undefined
          }
        | {
            /** One Delta table a table, for lakes. */
            format: 'delta'
            /** The folder of a table: holds {table}, may hold {pipeline}; s3://… is in a bucket. Default `"out/{pipeline}/{table}"`. */
            path?: string | undefined
            /** The tables that this output holds; by default all. */
            tables?: string[] | undefined
            /** The compression of pages. Default `"zstd"`. */
            compression?: 'zstd' | 'snappy' | 'gzip' | 'none' | undefined
            /** With merge and history: data files with changed rows are written anew, or lists say which of their rows are deleted (deletion vectors of Delta, position deletes of Iceberg), which is less to write and which not every engine reads. Default `"rewrite"`. */
            deletes?: 'rewrite' | 'vectors' | undefined
            /** snapshot: what this run read; append: what every run brought; merge: each record as it is now; history: every version. By default snapshot, with incremental merge. */
            mode?: 'snapshot' | 'append' | 'merge' | 'history' | undefined
            /** With merge: rows of a removed record are dropped, the default, or marked with _removed_at. */
            removed?: 'drop' | 'mark' | undefined
            /** Write the rows that each commit changes or removes as a change feed, too (`delta.enableChangeDataFeed`), so that readers can ask for changes. Default `false`. */
            changeFeed?: boolean | undefined
          }
        | {
            /** One Iceberg table a table, for lakes, read by its path or in a catalog. */
            format: 'iceberg'
            /** The folder of a table: holds {table}, may hold {pipeline}; s3://… is in a bucket. */
            path?: string | undefined
            /** The tables that this output holds; by default all. */
            tables?: string[] | undefined
            /** The compression of pages. Default `"zstd"`. */
            compression?: 'zstd' | 'snappy' | 'gzip' | 'none' | undefined
            /** With merge and history: data files with changed rows are written anew, or lists say which of their rows are deleted (deletion vectors of Delta, position deletes of Iceberg), which is less to write and which not every engine reads. Default `"rewrite"`. */
            deletes?: 'rewrite' | 'vectors' | undefined
            /** snapshot: what this run read; append: what every run brought; merge: each record as it is now; history: every version. By default snapshot, with incremental merge. */
            mode?: 'snapshot' | 'append' | 'merge' | 'history' | undefined
            /** With merge: rows of a removed record are dropped, the default, or marked with _removed_at. */
            removed?: 'drop' | 'mark' | undefined
            /** The REST catalog of the tables, in place of a path. */
            catalog?:
              | {
                  /** The address of the catalog, which ends before /v1; best ${CATALOG}. */
                  url: string
                  /** The warehouse in the catalog, if it has several. */
                  warehouse?: string | undefined
                  /** A bearer token; best ${CATALOG_TOKEN}. */
                  token?: string | undefined
                  /** Id and secret of a client, id:secret, for OAuth2 in place of a token; best ${CATALOG_CREDENTIAL}. */
                  credential?: string | undefined
                  /** Where a client gets its token; by default the catalog. */
                  oauthUrl?: string | undefined
                  /** The scope that a client asks for; by default catalog. */
                  scope?: string | undefined
                }
              | undefined
            /** The namespace of the tables in the catalog; it is created if it is missing. */
            namespace?: string | undefined
          }
        | {
            /** An output of your own, which a function opens for each table. */
            format: 'own'
            /** Names the output in messages and in the manifest. */
            name: string
            /** A function that gets a table and gives { write, commit, abort }, which are called with its rows and at the end of a run; from YAML { use: ./sqlite.ts#open }. */
            open:
              | {
                  /** The module beside the config, and the name of its export: ./steps.ts#margin. */
                  use: string
                }
              | OpenOwnOutput
            /** The tables that this output holds; by default all. */
            tables?: string[] | undefined
          }
      )[]
    | undefined
  /** Rules on the rows that a run writes, each of a column or a table, checked while writing. */
  expect?:
    | {
        /** The table; by default that of the records. */
        table?: string | undefined
        /** A column of the table, or the field path that it is made from. */
        column?: string | undefined
        /** A rule with values of its own, which other members replace: vat_rates (of vat: the rates of country), plausible_prices (of publicPrice: from one cent until 10,000 euros), price_ratio (the median of publicPrice is at most factor times greater or smaller than in the last run). */
        preset?: 'vat_rates' | 'plausible_prices' | 'price_ratio' | undefined
        /** With preset: vat_rates, whose rates; by default BE. */
        country?: 'BE' | 'DE' | 'FR' | 'LU' | 'NL' | undefined
        /** With preset: price_ratio, how many times greater or smaller the median may be; by default 10. */
        factor?: number | undefined
        /** The least value, included: a number, a time or a day, which is the whole day. */
        from?: string | number | undefined
        /** The greatest value, included; a day is the whole day. */
        until?: string | number | undefined
        /** The former name of until. */
        to?: string | number | undefined
        /** The value, or values, that may come. */
        in?: string | number | boolean | (string | number | boolean)[] | undefined
        /** The value, or values, that must not come. */
        not?: string | number | boolean | (string | number | boolean)[] | undefined
        /** A regular expression that every value must match. */
        matches?: string | undefined
        /** Each value comes once. */
        unique?: true | undefined
        /** How many rows have a value, at least: a share such as 95% or 0.95, or a count such as "95 rows". */
        filled?: number | string | undefined
        /** How many rows the table has, at least and at most. */
        rows?:
          | {
              /** At least as many. */
              from?: number | string | undefined
              /** At most as many. */
              until?: number | string | undefined
              /** The former name of until. */
              to?: number | string | undefined
            }
          | undefined
        /** error: a run that breaks the rule publishes nothing; warn: it is published and reported. Default `"warn"`. */
        severity?: 'warn' | 'error' | undefined
      }[]
    | undefined
  /** A rule on the number of records, compared with the median of the last seven published runs. */
  expectVolume?:
    | number
    | string
    | {
        /** How far the number of records may be from the median, below and above: 20% or ±20%. */
        within: number | string
        /** error: a run with another number of records publishes nothing; warn: it is published and reported. Default `"warn"`. */
        severity?: 'warn' | 'error' | undefined
      }
    | undefined
  /** The lines that did not meet the contract. */
  rejects?:
    | {
        /** By default _rejects.ndjson beside the first output. */
        path?: string | undefined
        /** A count, or a share of the lines that are not blank such as 1% (in a delta at least one line); with more rejects nothing is published. Default `"1%"`. */
        limit?: number | string | undefined
        /** A table (.csv or .xlsx) with the columns id, path, value and corrected: if a line would be rejected for that value at the path, the corrected one takes its place, in every run until the source is right. */
        corrections?: string | undefined
      }
    | undefined
  /** The file that makes a set of outputs published. */
  manifest?:
    | {
        /** By default _manifest.json beside the first output. */
        path?: string | undefined
      }
    | undefined
  /** The file of filled shares, bounds and frequent values of every column; false: none is written. Default `true`. */
  profile?:
    | boolean
    | {
        /** By default _profile.json beside the manifest. */
        path?: string | undefined
      }
    | undefined
  /** The page that shows a run: completeness, rows, columns, rejects, files; false: none is written. Default `true`. */
  report?:
    | boolean
    | {
        /** By default _report.html beside the manifest. */
        path?: string | undefined
        /** Show values of records: frequent values of every column, rejected values; by default only code lists. */
        examples?: boolean | undefined
      }
    | undefined
  /** Keep _runs.ndjson beside the manifest, a line for each of the last 400 runs; false: none is kept. Default `true`. */
  runs?: boolean | undefined
  /** Write datapackage.json beside the manifest: the files with their sizes, hashes and keys, and the meaning of their columns. Default `false`. */
  dataPackage?: boolean | undefined
  /** How a bucket keeps the objects of outputs, if they are in one. */
  s3?:
    | {
        /** Server-side encryption: AES256 (SSE-S3) or aws:kms (SSE-KMS); by default that of the bucket. */
        encryption?: 'AES256' | 'aws:kms' | undefined
        /** The id or ARN of the key, for aws:kms. */
        kmsKey?: string | undefined
        /** The storage class of tables and state; by default that of the bucket. */
        storageClass?: 'STANDARD' | 'STANDARD_IA' | 'ONEZONE_IA' | 'INTELLIGENT_TIERING' | 'GLACIER_IR' | undefined
      }
    | undefined
  /** Which files the command media downloads. */
  media?:
    | {
        /** The list that holds the photos, frontals or leaflets: photos[], frontals[], leaflets[]; $ if a record is one itself. By default photos[] of products, else $. Links of v4/media are left out, unless where has type. */
        from?: string | undefined
        /** The sizes of images: thumbnail, medium, large, huge, each also with Webp, by default huge; frontals also mediumJpeg, largeJpg; leaflets have none. */
        formats?: string[] | undefined
        /** Conditions that a photo, frontal or leaflet must meet: { photoType: packshot }; those at the top of the config select records. */
        where?: Conditions | undefined
        /** Only one of the list for each record and format: the one that suits this locale, as in a column. Without it leaflets are downloaded in each of the locales of the pipeline. */
        locale?: string | undefined
        /** Locales to try next, the first filled one wins; `spec` is the specification's own order for images. */
        fallback?: 'spec' | string[] | undefined
        /** The User-Agent header, which requests for images need: it says who downloads, such as shop-images/1.0 (it@example.com). By default that of the source. */
        userAgent?: string | undefined
        /** How many files are downloaded at the same time, 1 to 64; by default 8. */
        concurrency?: number | string | undefined
        /** A larger file is not downloaded; by default 50MB. */
        maxBytes?: number | string | undefined
        /** A count, or a share of the files with an address; with more that could not be had nothing is published. Default `"1%"`. */
        maxMissing?: number | string | undefined
        /** How often a request is repeated after 408, 425, 429, 5xx, a cut or a timeout; by default 5. */
        retries?: number | string | undefined
        /** How long to wait for a connection, for the first byte, between two pieces, and for a whole file; by default 10s, 30s, 30s and 5m. */
        timeouts?:
          | {
              /** For a connection; by default 10s. */
              connect?: number | string | undefined
              /** For the head of an answer; by default 30s. */
              firstByte?: number | string | undefined
              /** Between two pieces of a file; by default 30s. */
              idle?: number | string | undefined
              /** For a whole file, with redirects; by default 5m. */
              total?: number | string | undefined
            }
          | undefined
        /** false: a file that is there is not requested again while its address, without the query, is the same. Default `true`. */
        revalidate?: boolean | undefined
        /** Files of earlier downloads that the new manifest does not list: removed after it is published, or kept. Default `"remove"`. */
        obsolete?: 'remove' | 'keep' | undefined
        /** Files may come from private, loopback and link-local addresses too. Default `false`. */
        allowPrivate?: boolean | undefined
      }
    | undefined
  /** Where OpenLineage events of each run go: what it read and wrote, column by column, and what it checked. */
  lineage?:
    | {
        /** The address of a collector, such as http://marquez.example.com:5000; best ${OPENLINEAGE_URL}. */
        url?: string | undefined
        /** A file on this machine, to which each event is added as a line. */
        file?: string | undefined
        /** The namespace of the job; by default the variable OPENLINEAGE_NAMESPACE, else default. */
        namespace?: string | undefined
      }
    | undefined
  /** Questions about the published tables by name, in SQL, for the command sql. */
  questions?: Record<string, string> | undefined
}
type ConditionGroups = Conditions[]
export interface Conditions {
  /** Groups of conditions, one of which must hold as a whole. */
  any?: ConditionGroups | undefined
  [key: string]:
    | string
    | number
    | boolean
    | null
    | (string | number | boolean | null)[]
    | {
        /** The value, or values, that it must not be. */
        not: string | number | boolean | null | (string | number | boolean | null)[]
      }
    | {
        /** The least value, included; a day is the whole day. */
        from?: string | number | undefined
        /** The greatest value, included; a day is the whole day. */
        until?: string | number | undefined
      }
    | {
        /** Conditions that one element of the list must meet, all of them. */
        some?: Conditions | undefined
        /** Conditions that no element of the list may meet, all of them. */
        none?: Conditions | undefined
      }
    | ConditionGroups
    | undefined
}
