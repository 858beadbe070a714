import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Whether this is a release, as `npm run release` makes it, and not a checkout. */
export const isRelease = existsSync(fileURLToPath(new URL('../../release.json', import.meta.url)))

/** What is so wherever a release is installed, unless the settings say otherwise. */
export const RELEASE_DEFAULTS: Readonly<Record<string, string>> = { NODE_ENV: 'production', DATA_DIR: '/var/lib/homeroom' }
