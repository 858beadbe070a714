import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, extname, join, relative, sep } from 'node:path'

import { ROLE_GROUPS } from '../../../records/people/contract.ts'
import { ImportMistake } from '../mistake.ts'
import type { Findings } from './findings.ts'
import { type Kind, OldNetwork } from './network.ts'
import { isNothing, isRecord, type Raw, recordsIn } from './shapes.ts'

/** What an answer is called, after the path it came from: with or without `locations-api/`, `.json`, and an `_` for each `/`. */
const LISTS: readonly (readonly [RegExp, Kind])[] = [
  [/^regions?(_pop)?$/, 'region'],
  [/^roles?([/_-](leadership|student[-_]support))?$/, 'role'],
  [/^program_?types?$/, 'program_type'],
  [/^brands?$/, 'brand'],
  [/^charters?(_pop)?$/, 'charter'],
  [/^(sites?|locations?)(_pop)?$/, 'site'],
  [/^(people|staff|persons?)(_pop)?$/, 'person'],
  [/^people_sites_divide([/_-](leadership|student_support))?$/, 'person'],
  [/^sis(_sites?)?$/, 'sis_site'],
  [/^(permissions[/_])?app_permissions?([/_-].+)?$/, 'permission'],
]
/** Answers about one record: they fill in what the lists lack. */
const SINGLES: readonly (readonly [RegExp, Kind])[] = [
  [/^(regionbyslug|regions?)[/_-].+$/, 'region'],
  [/^(brandview|brands?)[/_-].+$/, 'brand'],
  [/^(charterview|charterbyslug|charters?)[/_-].+$/, 'charter'],
  [/^(siteslugprograms|sites?|locations?)[/_-].+$/, 'site'],
  [/^(people_sites_slug|people)[/_-].+$/, 'person'],
  [/^sis[/_-].+$/, 'sis_site'],
]
const AFFAIR = /^charter_affairs?([/_-].+)?$/
/** Counted from the records. */
const COUNTED = /^charter[-_]student[-_]total$/
/** Pictures that addresses name. */
const PICTURES = /^(api\/)?pictures\//i

const MOST_FILE_BYTES = 500 * 1024 * 1024

export interface ReadFile {
  readonly name: string
  readonly kind: Kind | 'pictures' | null
  readonly records: number
}
export interface ReadFolder {
  readonly network: OldNetwork
  readonly files: readonly ReadFile[]
  /** Pictures in the folder, by the name at the end of their address. */
  readonly pictures: ReadonlyMap<string, string>
}

const filesIn = async (folder: string): Promise<string[]> => {
  try {
    if (!(await stat(folder)).isDirectory()) throw new ImportMistake(`${folder} is a file, not a folder`)
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .toSorted()
  } catch (error) {
    if (error instanceof ImportMistake) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw new ImportMistake(code === 'ENOENT' ? `There is no folder ${folder}` : `${folder} cannot be read: ${message}`)
  }
}

interface Named {
  readonly path: string
  readonly kind: Kind
  readonly is: 'list' | 'single' | 'affair'
  readonly called: string
}

const plain = (path: string): string => path.replace(/\.json$/i, '').replace(/^(.*\/)?(locations-api|api)\//i, '')

/** What a file is, after its name; the folder it stands in may be part of it (`charter_affair/`). */
const namedAs = (path: string): Named | undefined => {
  const called = basename(path, extname(path) === '.json' ? '.json' : '')
  const parts = plain(path).split('/')
  // An outer folder may be called anything: the shortest ending that is known counts.
  for (let from = parts.length - 1; from >= Math.max(0, parts.length - 3); from--) {
    const ending = parts.slice(from).join('/').toLowerCase()
    if (from < parts.length - 1 || parts.length === 1 || !isSingleFolder(parts[from - 1] ?? '')) {
      const list = LISTS.find(([form]) => form.test(ending))
      if (list) return { path, kind: list[1], is: 'list', called }
      if (AFFAIR.test(ending)) return { path, kind: 'charter_affair', is: 'affair', called: called.replace(/^charter_affairs?[_-]/i, '') }
      const single = SINGLES.find(([form]) => form.test(ending))
      if (single) return { path, kind: single[1], is: 'single', called }
    }
  }
  return undefined
}
/** A folder whose files are called after records, whatever a record is called. */
const isSingleFolder = (folder: string): boolean =>
  AFFAIR.test(folder.toLowerCase()) || (folder !== '' && SINGLES.some(([form]) => form.test(`${folder.toLowerCase()}/x`)))

const parsed = async (folder: string, path: string, findings: Findings): Promise<unknown> => {
  const about = { file: path, kind: 'file', record: '', name: '' }
  const { size } = await stat(join(folder, path))
  if (size > MOST_FILE_BYTES) {
    findings.add(about, '', 'not placed', { value: `${size} bytes`, why: 'the file is larger than 500 MB' })
    return undefined
  }
  const bytes = await readFile(join(folder, path))
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return JSON.parse(new TextDecoder(encoding).decode(bytes)) as unknown
  } catch (error) {
    findings.add(about, '', 'not placed', {
      value: new TextDecoder(encoding).decode(bytes.subarray(0, 200)),
      why: `the file is no JSON: ${(error as Error).message}`,
    })
    return undefined
  }
}

const ORDER = ['list', 'affair', 'single'] as const

/** Reads all answers of a folder into one network. What cannot be read is told, and the rest is taken. */
export const readFolder = async (folder: string, findings: Findings, checkStop: () => void): Promise<ReadFolder> => {
  const network = new OldNetwork(findings)
  const files: ReadFile[] = []
  const named: Named[] = []
  const pictures = new Map<string, string>()
  for (const path of await filesIn(folder)) {
    const found = namedAs(path)
    if (PICTURES.test(path) || /\.(jpe?g|png|ico|gif|webp)$/i.test(path)) pictures.set(basename(path).toLowerCase(), join(folder, path))
    else if (found) named.push(found)
    else if (!COUNTED.test(plain(path).toLowerCase()))
      findings.add({ file: path, kind: 'file', record: '', name: '' }, '', 'not placed', {
        value: path,
        why: 'is none of the answers that are known',
      })
  }
  if (named.length === 0)
    throw new ImportMistake(`${folder} holds none of the old program's answers (brand.json, charters_pop.json, sites_pop.json …)`)
  for (const { path, kind, is, called } of named.toSorted((a, b) => ORDER.indexOf(a.is) - ORDER.indexOf(b.is))) {
    checkStop()
    const answer = await parsed(folder, path, findings)
    if (answer === undefined) continue
    const records = recordsIn(answer, [kind, called])
    if (records === undefined) {
      findings.add({ file: path, kind: 'file', record: '', name: '' }, '', 'not placed', { value: answer, why: 'holds no list of records' })
      continue
    }
    if (is === 'affair') network.takeAffair(records, path, called)
    else for (const one of records) network.take(kind, one, path, kind === 'role' ? groupOf(path, one) : {}, is === 'list')
    if (is === 'list') network.listed.add(kind)
    files.push({ name: path, kind, records: records.length })
  }
  if (files.length === 0)
    throw new ImportMistake(
      `None of the ${named.length} answers in ${folder} can be read; ${findings.all[0]?.file}: ${findings.all[0]?.why}`,
    )
  if (pictures.size > 0) files.push({ name: 'pictures', kind: 'pictures', records: pictures.size })
  network.untangle()
  return { network, files, pictures }
}

/** Which of the two groups a list of roles is of, where it says so by its name. */
const groupOf = (path: string, role: unknown): Raw => {
  const group = ROLE_GROUPS.find((one) => path.toUpperCase().replaceAll('-', '_').includes(one))
  return group !== undefined && isRecord(role) && isNothing(role['group']) ? { group } : {}
}
