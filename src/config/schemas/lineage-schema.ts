import { z } from 'zod'

export const lineage = () =>
  z
    .strictObject({
      url: z
        .string()
        .min(1)
        .optional()
        .describe('The address of a collector, such as http://marquez.example.com:5000; best ${OPENLINEAGE_URL}'),
      file: z.string().min(1).optional().describe('A file on this machine, to which each event is added as a line'),
      namespace: z
        .string()
        .min(1)
        .optional()
        .describe('The namespace of the job; by default the variable OPENLINEAGE_NAMESPACE, else default'),
    })
    .refine(({ url, file }) => (url === undefined) !== (file === undefined), 'either url or file')
    .optional()
    .describe('Where OpenLineage events of each run go: what it read and wrote, column by column, and what it checked')
