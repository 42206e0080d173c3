/** Test files that may take more than three seconds of CPU time in quick depth, and why: see `cpu-reporter.ts`. */
export const dearFiles: Readonly<Record<string, string>> = {}
