import { z } from 'zod'
import { byteSize, duration, wholeNumber } from './number-shapes.ts'
import { fallback, limit, userAgent, where } from './selection-schema.ts'

const section = () =>
  z.strictObject({
    from: z
      .string()
      .min(1)
      .optional()
      .describe(
        'The list that holds the photos, frontals or leaflets: photos[], frontals[], leaflets[]; $ if a record is one itself. By default photos[] of products, else $. Links of v4/media are left out, unless where has type',
      ),
    formats: z
      .array(z.string())
      .min(1)
      .optional()
      .describe(
        'The sizes of images: thumbnail, medium, large, huge, each also with Webp, by default huge; frontals also mediumJpeg, largeJpg; leaflets have none',
      ),
    where: where
      .default({})
      .describe(
        'Conditions that a photo, frontal or leaflet must meet: { photoType: packshot }; those at the top of the config select records',
      ),
    locale: z
      .string()
      .optional()
      .describe(
        'Only one of the list for each record and format: the one that suits this locale, as in a column. Without it leaflets are downloaded in each of the locales of the pipeline',
      ),
    fallback: fallback.optional(),
    userAgent: userAgent
      .optional()
      .describe(
        'The User-Agent header, which requests for images need: it says who downloads, such as shop-images/1.0 (it@example.com). By default that of the source',
      ),
    concurrency: wholeNumber(1, 64)
      .default(8)
      .describe('How many files are downloaded at the same time, 1 to 64; by default 8'),
    maxBytes: byteSize.prefault('50MB').describe('A larger file is not downloaded; by default 50MB'),
    maxMissing: limit
      .default('1%')
      .describe(
        'A count, or a share of the files with an address; with more that could not be had nothing is published',
      ),
    retries: wholeNumber(0, 100)
      .default(5)
      .describe('How often a request is repeated after 408, 425, 429, 5xx, a cut or a timeout; by default 5'),
    timeouts: z
      .strictObject({
        connect: duration.prefault('10s').describe('For a connection; by default 10s'),
        firstByte: duration.prefault('30s').describe('For the head of an answer; by default 30s'),
        idle: duration.prefault('30s').describe('Between two pieces of a file; by default 30s'),
        total: duration.prefault('5m').describe('For a whole file, with redirects; by default 5m'),
      })
      .prefault({})
      .describe(
        'How long to wait for a connection, for the first byte, between two pieces, and for a whole file; by default 10s, 30s, 30s and 5m',
      ),
    revalidate: z
      .boolean()
      .default(true)
      .describe('false: a file that is there is not requested again while its address, without the query, is the same'),
    obsolete: z
      .enum(['remove', 'keep'])
      .default('remove')
      .describe(
        'Files of earlier downloads that the new manifest does not list: removed after it is published, or kept',
      ),
    allowPrivate: z
      .boolean()
      .default(false)
      .describe('Files may come from private, loopback and link-local addresses too'),
  })

export const media = () => section().optional().describe('Which files the command media downloads')

export type MediaConfig = z.output<ReturnType<typeof section>>

/** The section of a config that has none. */
export const usualMedia = (): MediaConfig => section().parse({})
