// Finds the other programs of `npm run test:all`: Firefox, WebKit, which Safari and every browser on iPhones and iPads use, and a contact program.
import { existsSync } from 'node:fs'

const FIREFOX = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox']
/** Debian's packages webkit2gtk-driver and xvfb, the display that the browser draws on. */
const WEBKIT = { driver: '/usr/bin/WebKitWebDriver', display: '/usr/bin/Xvfb' }

/** The path of the machine's Firefox; undefined if there is none. */
export const findFirefox = () => FIREFOX.find((path) => existsSync(path))

/** The programs that WebKit needs; undefined if one is missing. */
export const findWebKit = () => (Object.values(WEBKIT).every((path) => existsSync(path)) ? WEBKIT : undefined)

const VDIRSYNCER = ['/usr/bin/vdirsyncer', '/usr/local/bin/vdirsyncer']

/** The path of the machine's vdirsyncer, which copies contacts into a folder; undefined if there is none. */
export const findVdirsyncer = () => VDIRSYNCER.find((path) => existsSync(path))
