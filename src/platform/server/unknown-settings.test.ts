import { expect, test } from 'vitest'

import { readConfiguration } from './configuration.ts'

test.each([
  ['SUPER_ADMIN', 'SUPER_ADMINS'],
  ['SUPERADMINS', 'SUPER_ADMINS'],
  ['super_admins', 'SUPER_ADMINS'],
  ['PUBLIC_URI', 'PUBLIC_URL'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['OIDC_CLIENTID', 'OIDC_CLIENT_ID'],
  ['OIDC_SECRET', 'OIDC_'],
  ['TRSUT_PROXY', 'TRUST_PROXY'],
  ['SMTP_PASSWORD', 'SMTP_URL'],
])('%s is reported as unknown, with the most similar setting', (name, nearest) => {
  const { warnings } = readConfiguration({ [name]: 'Zq81-value' })
  expect(warnings).toEqual([expect.stringMatching(`^${name} is not a setting of Homeroom .*did you mean ${nearest}`)])
  expect(warnings.join()).not.toContain('Zq81')
})

test('variables of the system and of other programs are not reported', () => {
  const others =
    'PATH HOME HOSTNAME USER SHELL LANG LC_ALL TERM PWD OLDPWD SHLVL TZ TMPDIR EDITOR MAIL LOGNAME SSH_CLIENT NODE_OPTIONS NODE_EXTRA_CA_CERTS MALLOC_ARENA_MAX INVOCATION_ID JOURNAL_STREAM STATE_DIRECTORY SYSTEMD_EXEC_PID INIT_CWD npm_config_cache npm_lifecycle_event TEST_DATABASE_URL SESSION_MANAGER DISPLAY NO_PROXY POSTGRES_PASSWORD PGHOST CI FORCE_COLOR COLOR VITEST DEBUG BASE_URL VITE_NODE_DEPS'
  const environment = Object.fromEntries(others.split(' ').map((name) => [name, 'x']))
  expect(readConfiguration(environment).warnings).toEqual([])
})
