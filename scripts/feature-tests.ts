import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** The folders of features, and of what all pages share. */
export const FEATURE_FOLDERS = [
  'src/features/*/*',
  'src/records/*',
  'src/app/{coverage,departures,dossier,exports,home,insights}',
  'src/app/{coverage,departures,dossier,exports,home,setup}',
  'src/platform/web/{form,kit,list,shell}',
]

/**
 * Tests of a feature in files that are named after something else, in `test/` and without `.test.ts`. A feature also has the tests in its folder,
 * and files named after it or its singular.
 */
export const OTHER_TESTS: Readonly<Record<string, readonly string[]>> = {
  news: ['browser/own-server/setup'],
  accounts: ['browser/account', 'browser/calendar-feeds', 'browser/editing/deadline-settings'],
  archive: ['api/archived-rows', 'browser/editing/archive'],
  assistants: ['api/assistant-questions', 'api/assistants-conformance'],
  audit: ['api/affair-reads', 'api/audit-reading'],
  brands: ['browser/editing/charters-and-brands', 'api/every-field'],
  calendars: ['browser/calendar-feeds', 'browser/own-server/deadline-walk'],
  changesets: [
    'browser/editing/bulk',
    'browser/editing/people-picker',
    'browser/editing/planned',
    'browser/editing/reorganize',
    'components/selection',
  ],
  'charter-affairs': [
    'api/affair-reads',
    'browser/editing/affair-history',
    'browser/editing/charter-affair-unsaved-changes',
    'browser/editing/confirm-dates',
    'browser/editing/deadline-dates',
  ],
  charters: ['browser/editing/charters-and-brands', 'api/every-field'],
  merges: ['api/refused-merges', 'browser/editing/duplicates'],
  coverage: ['browser/editing/moving', 'browser/editing/reorganize'],
  deadlines: [
    'api/many-deadlines',
    'browser/editing/confirm-dates',
    'browser/editing/deadline-dates',
    'browser/editing/deadline-settings',
    'browser/editing/deadline-views',
    'browser/own-server/deadline-walk',
  ],
  departures: ['browser/editing/leaving', 'browser/editing/person', 'browser/editing/deadline-settings'],
  'directory-import': ['commands/import', 'commands/import-stopped'],
  enrollment: ['browser/site-parts', 'browser/editing/whole-site'],
  'error-log': ['browser/error-log-page'],
  exports: ['browser/downloads', 'browser/list-download'],
  facility: ['browser/site-parts', 'browser/editing/whole-site'],
  favorites: ['browser/palette', 'browser/site'],
  form: [
    'api/field-messages',
    'api/field-rules',
    'api/field-values',
    'api/stale-edits',
    'browser/editing/field-errors',
    'browser/editing/nothing-lost',
    'browser/editing/payloads',
    'browser/editing/saved',
    'components/conflict-view',
  ],
  history: ['browser/editing/affair-history'],
  'past-days': ['api/past-days', 'browser/past-days'],
  hr: ['browser/editing/add-staff'],
  kit: [
    'browser/sheets',
    'browser/editing/clipping',
    'browser/phone',
    'browser/phone-targets',
    'browser/page-accessibility',
    'components/qr-code',
  ],
  levels: ['browser/editing/permissions', 'security/access', 'security/token-levels'],
  list: [
    'api/lists-after-changes',
    'browser/lists',
    'browser/list-download',
    'browser/columns',
    'browser/tables',
    'browser/views',
    'components/columns',
    'components/narrow-names',
    'components/selection',
    'components/tables',
  ],
  'list-download': ['browser/editing/bulk'],
  'page-views': ['browser/error-log-page'],
  offline: ['browser/own-server/phone'],
  pages: ['browser/lists', 'browser/tables', 'browser/brand', 'browser/charter', 'browser/person', 'browser/site'],
  people: ['browser/contact', 'browser/lists', 'browser/editing/people-picker', 'browser/editing/staff'],
  pictures: ['browser/profile-photo'],
  provisioning: ['browser/editing/directory', 'security/scim', 'resilience/provisioning'],
  regions: ['browser/lists', 'browser/editing/checks', 'api/every-field'],
  reminders: ['browser/editing/deadline-settings', 'browser/own-server/deadline-walk', 'commands/mail'],
  requests: ['api/many-proposals', 'browser/own-server/suggestions'],
  'saved-views': ['browser/views', 'browser/editing/deadline-views'],
  search: ['browser/palette', 'browser/search-engine'],
  'server-state': ['browser/own-server/home'],
  session: ['browser/sign-in', 'browser/signed-out', 'api/secret-rotation'],
  sheets: [
    'browser/own-server/import',
    'api/foreign-sheets',
    'api/google-sheets',
    'api/saving-sheets',
    'browser/editing/edit-in-excel',
    'browser/editing/people-picker',
    'browser/editing/saving-sheets',
  ],
  shell: ['browser/palette', 'browser/own-server/phone', 'components/keyboard'],
  'sis-sites': ['browser/editing/sis', 'browser/editing/whole-site'],
  'site-staff': ['browser/editing/staff', 'browser/sheets'],
  sites: ['api/every-field', 'browser/site-parts', 'browser/sheets', 'browser/editing/site-form', 'browser/editing/whole-site'],
  webhooks: ['components/cards'],
}

/** The test files of a feature, from the root of the repository. */
export const listFeatureTests = (feature: string): string[] => {
  const names = [feature, feature.replace(/ies$/, 'y'), feature.replace(/s$/, ''), ...(feature === 'people' ? ['person'] : [])]
  const others = (OTHER_TESTS[feature] ?? []).map((path) => `test/${path}`)
  return globSync(['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'], { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => {
      const parts = path.split('/')
      return (
        parts.includes(feature) || names.includes(parts.at(-1)?.split('.')[0] ?? '') || others.includes(path.replace(/\.test\.tsx?$/, ''))
      )
    })
}
