import type * as fsPromises from 'node:fs/promises'

/** The file operations of staging and publishing: `node:fs/promises`, or a test's own that fails or stops where it likes. */
export type FileSystem = Pick<
  typeof fsPromises,
  'copyFile' | 'link' | 'lstat' | 'mkdir' | 'open' | 'readdir' | 'readFile' | 'rename' | 'rm' | 'stat'
>
