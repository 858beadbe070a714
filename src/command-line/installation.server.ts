import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Whether this is a release, as built by `npm run release`, and not a checkout. */
export const isRelease = existsSync(fileURLToPath(new URL('../../release.json', import.meta.url)))

/** Defaults of every installed release, unless the settings override them. */
export const RELEASE_DEFAULTS: Readonly<Record<string, string>> = { NODE_ENV: 'production', DATA_DIR: '/var/lib/homeroom' }
