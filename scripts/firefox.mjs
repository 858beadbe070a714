// Finds Firefox, the second browser engine of `npm run test:all`.
import { existsSync } from 'node:fs'

const PATHS = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox']

/** The path of the machine's Firefox; undefined if there is none. */
export const findFirefox = () => PATHS.find((path) => existsSync(path))
