/**
 * The part of a schema of any library that a validation calls: Standard Schema, version 1 (standardschema.dev). Declared
 * here, so that types of the library need no package.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined
  }
}

/** The verdict of a schema: its output, or why there is none. */
export type StandardResult<Output = unknown> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** A schema of zod before 3.24, which is no Standard Schema yet. */
export interface OldZodSchema<Output = unknown> {
  readonly _output: Output
  readonly safeParseAsync: (value: unknown) => Promise<OldZodResult<Output>>
}

type OldZodResult<Output> =
  | { readonly success: true; readonly data: Output }
  | { readonly success: false; readonly error: { readonly issues: readonly StandardIssue[] } }

export type AnySchema = StandardSchema | OldZodSchema

/** The type of what a schema gives. A schema of zod says it in `_zod`, where it costs the compiler least. */
export type OutputOf<Schema> = Schema extends { readonly _zod: { readonly output: infer Output } }
  ? Output
  : Schema extends StandardSchema
    ? NonNullable<Schema['~standard']['types']>['output']
    : Schema extends OldZodSchema<infer Output>
      ? Output
      : unknown

export type StandardValidate = (value: unknown) => StandardResult | Promise<StandardResult>

export function isSchema(schema: unknown): schema is AnySchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false
  const { '~standard': standard, safeParseAsync } = schema as Partial<StandardSchema & OldZodSchema>
  return typeof (standard === undefined ? safeParseAsync : standard?.validate) === 'function'
}

export function isStandardSchema(schema: unknown): schema is StandardSchema {
  return isSchema(schema) && '~standard' in schema
}

export function pathOf({ path = [] }: StandardIssue): PropertyKey[] {
  return path.map((step) => (typeof step === 'object' ? step.key : step))
}

export function toStandardValidate(schema: AnySchema): StandardValidate {
  if ('~standard' in schema) return (value) => schema['~standard'].validate(value)
  return async (value) => {
    const result = await schema.safeParseAsync(value)
    return result.success ? { value: result.data } : { issues: result.error.issues }
  }
}
