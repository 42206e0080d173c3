import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser } from 'playwright-core'

/**
 * True if tests in a browser are skipped, as none is installed. With CATALOGUE_REQUIRE_CHROMIUM=1, as in CI, they fail
 * instead.
 */
export const skipsChromium = process.env['CATALOGUE_REQUIRE_CHROMIUM'] !== '1' && findChromium() === null

/** Headless Chromium. Throws if it is not installed. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === null) throw new Error('expected chromium in PATH, got no browser')
  // Its sandbox does not start for root.
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

function findChromium(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const paths = folders.flatMap((folder) => ['chromium', 'chromium-browser'].map((name) => join(folder, name)))
  return paths.find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // It is elsewhere, or nowhere.
    return false
  }
}
