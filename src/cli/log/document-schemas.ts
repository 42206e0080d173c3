import { z } from 'zod'
import { examinationReportSchema } from '../../doctor/examination-report.ts'
import { verificationSchema } from '../../inspect/verify/verification.ts'
import { severities } from '../../report/facts.ts'
import { type ErrorCode, errorDefinitions, exitCodes } from '../../errors.ts'
import { manifestSchema } from '../../manifest/manifest-schema.ts'

const exitCode = z.literal(Object.values(exitCodes))

const error = z
  .object({
    code: z.enum(Object.keys(errorDefinitions) as [ErrorCode, ...ErrorCode[]]).describe('stable'),
    title: z.string(),
    message: z.string().describe('where: what is wrong, expected, got'),
    outputs: z.string().nullable().describe('what happened to the outputs'),
    fix: z.string().describe('what to try'),
    exitCode,
  })
  .meta({ id: 'error' })

const problem = z.object({
  file: z.string(),
  line: z.int().nullable(),
  column: z.int().nullable(),
  path: z.string().describe('in the config: tables.products.columns[2]'),
  message: z.string(),
  suggestion: z.string().nullable(),
})

/** The document that a failed command writes with `--json`. */
export const failureDocumentSchema = z.object({ ok: z.literal(false), error, problems: z.array(problem) })

const times = {
  pipeline: z.string(),
  run: z.string().describe('the name of this run in its lock and in the log'),
  startedAt: z.iso.datetime(),
  durationMs: z.int().nonnegative(),
}

const finding = z.object({
  severity: z
    .enum(severities)
    .describe("wrong: the outputs can't be relied on; look: they may not hold what was meant; note: good to know"),
  kind: z.string().describe('such as repeats, rules or rejects'),
  count: z.int().nonnegative().describe('lines, values, rules …'),
  text: z.string(),
  details: z.array(z.string()),
})

const run = z.discriminatedUnion('ok', [
  z.object({
    ...times,
    ok: z.literal(true),
    report: manifestSchema,
    findings: z.array(finding).describe('what was found, what is wrong first; the run is green if all are notes'),
  }),
  z.object({ ...times, ok: z.literal(false), error }),
])

/** The document that `run --json` writes and `--on-failure` reads. */
export const runDocumentSchema = z.union([
  z
    .object({
      ok: z.boolean().describe('true if all have published'),
      exitCode: exitCode.describe('the worst of all: 130, 1, 2, 5, 3, 4, 6, 0'),
      runs: z.array(run).describe('in the order of the configs, without those that an interrupted call did not start'),
    })
    .describe('pipelines were run'),
  failureDocumentSchema.describe('nothing was run: the command line or a config is wrong'),
])

export function toRunDocumentJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(runDocumentSchema, { io: 'input' })
  return { ...schema, title: 'catalogue-etl run --json' }
}

/** The document that `verify --json` writes. */
export const verifyDocumentSchema = z.union([
  verificationSchema.describe('what was published, compared with what is there'),
  failureDocumentSchema.describe(
    'nothing was compared: the command line or a config is wrong, or something could not be read',
  ),
])

export function toVerifyDocumentJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(verifyDocumentSchema, { io: 'input' })
  return { ...schema, title: 'catalogue-etl verify --json' }
}

/** The document that `doctor --json` writes. */
export const doctorDocumentSchema = z.union([
  z
    .object({
      ok: z.boolean().describe('false with --strict where something differs that needs a change'),
      exitCode,
      report: examinationReportSchema,
    })
    .describe('the service was asked'),
  failureDocumentSchema.describe('nothing was found out: the command line is wrong, or the service gives no data'),
])

export function toDoctorDocumentJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(doctorDocumentSchema, { io: 'input' })
  return { ...schema, title: 'catalogue-etl doctor --json' }
}
