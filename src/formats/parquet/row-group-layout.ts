/* What the kernel and JavaScript tell each other of row groups: see `RowGroup` in kernel/crates/kernel/src/parquet/mod.rs. */

export const textColumn = 0
export const booleanColumn = 1
export const int32Column = 2
export const int64Column = 3
export const float64Column = 4
/** Decimals have 128 bits in batches; in pages 32, 64, or as many bytes as their most digits take. */
export const decimal32Column = 5
export const decimal64Column = 6
export const longDecimalColumn = 7

/** Bits of what bounds are; none without bounds, of nulls alone or with a NaN. */
export const boundsFound = 1
export const minIsCut = 2
export const maxIsRaised = 4

/** Level 3 makes pages of 256 KiB 2 % smaller. */
export const zstdLevel = 1
