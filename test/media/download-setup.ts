import { afterEach, beforeEach } from 'vitest'
import { DownloadFolder } from './media-folder.ts'
import { ImageHost } from './image-host.ts'

interface PhotoOptions {
  readonly id?: number | null
  readonly formats?: Record<string, string | null>
  readonly locales?: string[]
  readonly photoType?: string
  readonly displayOrder?: number
}

/** A config section that allows downloads from this machine and tries once. */
export const media = {
  userAgent: 'test-images/1.0 (it@example.com)',
  allowPrivate: true,
  formats: ['large'],
  retries: 0,
}

export function product(id: string, photos: readonly PhotoOptions[]) {
  return { id, photos }
}

/** A host of images and a folder to download into, new for each test. */
export class DownloadSetup {
  host!: ImageHost
  folder!: DownloadFolder

  static forEachTest(): DownloadSetup {
    const setup = new DownloadSetup()
    beforeEach(async () => {
      ;[setup.host, setup.folder] = await Promise.all([ImageHost.start(), DownloadFolder.create()])
    })
    afterEach(() => Promise.all([setup.host.close(), setup.folder.remove()]))
    return setup
  }

  /** Writes a config over a file of products. */
  async configOf(products: readonly object[], settings: object = {}): Promise<string> {
    const source = await this.folder.records('v4/product', products)
    return this.folder.config({ source, media: { ...media, ...settings } })
  }
}
