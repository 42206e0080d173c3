import { z } from 'zod'

const count = z.int().nonnegative()

const difference = z
  .object({
    kind: z
      .enum(['missing', 'changed', 'unexpected', 'unfinished'])
      .describe('unfinished: a publication has begun and not ended, by a run or by one that was killed'),
    where: z.string().describe('the path of a file, or a table with its database'),
    expected: z.string(),
    got: z.string(),
  })
  .meta({ id: 'difference' })

const database = z.object({
  target: z.string().describe('where it is, without credentials'),
  tables: z.array(z.object({ name: z.string(), rows: count.nullable().describe('null where the table is gone') })),
})

/** Published files and tables beside those that are there, as `verify --json` writes them where it could compare. */
export const verificationSchema = z
  .object({
    ok: z.boolean().describe('whether all is as it was published'),
    pipeline: z.string(),
    manifest: z.string(),
    runId: z.string().nullable().describe('of the run that published last; null where there is no manifest'),
    publishedAt: z.iso.datetime().nullable(),
    files: count.describe('that the manifest lists and that were compared, those of the state too'),
    bytes: count.describe('of the files that were read to their end'),
    databases: z.array(database),
    differences: z.array(difference),
  })
  .meta({ id: 'verification' })

export type Verification = z.output<typeof verificationSchema>
export type Difference = z.output<typeof difference>
