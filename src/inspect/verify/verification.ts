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

/** Published files and tables compared with the present ones; the JSON of `verify --json` if they could be compared. */
export const verificationSchema = z
  .object({
    ok: z.boolean().describe('true if everything is as it was published'),
    pipeline: z.string(),
    manifest: z.string(),
    runId: z.string().nullable().describe('for the run that published last; null without a manifest'),
    publishedAt: z.iso.datetime().nullable(),
    files: count.describe('files of the manifest that were compared, those of the state too'),
    bytes: count.describe('for the files that were read to their end'),
    databases: z.array(database),
    differences: z.array(difference),
  })
  .meta({ id: 'verification' })

export type Verification = z.output<typeof verificationSchema>
export type Difference = z.output<typeof difference>
