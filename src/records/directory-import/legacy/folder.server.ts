import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, extname, join, relative, sep } from 'node:path'

import { isObject } from '../../../contract/objects.ts'
import { ImportError } from '../../../platform/server/import-error.ts'
import { ROLE_GROUPS } from '../../people/contract.ts'
import type { Findings } from './findings.ts'
import { type Kind, LegacyNetwork } from './network.ts'
import { isEmpty, type RawRecord, findRecords } from './raw-values.ts'

/** File names of lists, derived from the paths of the old API: with or without `locations-api/`, `.json`, and `_` for `/`. */
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
/** Files of one record, which complete the lists. */
const SINGLE_RECORDS: readonly (readonly [RegExp, Kind])[] = [
  [/^(regionbyslug|regions?)[/_-].+$/, 'region'],
  [/^(brandview|brands?)[/_-].+$/, 'brand'],
  [/^(charterview|charterbyslug|charters?)[/_-].+$/, 'charter'],
  [/^(siteslugprograms|sites?|locations?)[/_-].+$/, 'site'],
  [/^(people_sites_slug|people)[/_-].+$/, 'person'],
  [/^sis[/_-].+$/, 'sis_site'],
]
const AFFAIR = /^charter_affairs?([/_-].+)?$/
/** Not read, because the count is calculated from the records. */
const IGNORED = /^charter[-_]student[-_]total$/
const PICTURES = /^(api\/)?pictures\//i

const MAX_FILE_BYTES = 50 * 1024 * 1024
/** The limit for all files together, as objects: their text, and about this many bytes for each value. */
const MAX_OBJECT_BYTES = 128 * 1024 * 1024
const BYTES_PER_VALUE = 24
/** The bytes before a value: `,`, `:`, `[` and `{`. */
const VALUE_MARKS: ReadonlySet<number> = new Set([0x2c, 0x3a, 0x5b, 0x7b])
const countObjectBytes = (bytes: Uint8Array): number => {
  let values = 0
  for (const byte of bytes) if (VALUE_MARKS.has(byte)) values++
  return bytes.length + values * BYTES_PER_VALUE
}

export interface ReadFileSummary {
  readonly name: string
  readonly kind: Kind | 'pictures' | null
  readonly records: number
}
export interface LegacyFolder {
  readonly network: LegacyNetwork
  readonly files: readonly ReadFileSummary[]
  /** Pictures in the folder, by the file name at the end of their URL. */
  readonly pictures: ReadonlyMap<string, string>
}

const listFiles = async (folder: string): Promise<string[]> => {
  try {
    if (!(await stat(folder)).isDirectory()) throw new ImportError(`${folder} is a file, not a folder`)
    const entries = await readdir(folder, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
      .toSorted()
  } catch (error) {
    if (error instanceof ImportError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw new ImportError(code === 'ENOENT' ? `There is no folder ${folder}` : `${folder} cannot be read: ${message}`)
  }
}

interface IdentifiedFile {
  readonly path: string
  readonly kind: Kind
  readonly type: 'list' | 'single' | 'affair'
  readonly name: string
}

const normalizePath = (path: string): string => path.replace(/\.json$/i, '').replace(/^(.*\/)?(locations-api|api)\//i, '')

/** The contents of a file, according to its name; the folder may be part of it (`charter_affair/`). */
const identifyFile = (path: string): IdentifiedFile | undefined => {
  const called = basename(path, extname(path) === '.json' ? '.json' : '')
  const parts = normalizePath(path).split('/')
  // Outer folders may have any name: the shortest known ending counts.
  for (let from = parts.length - 1; from >= Math.max(0, parts.length - 3); from--) {
    const ending = parts.slice(from).join('/').toLowerCase()
    if (from < parts.length - 1 || parts.length === 1 || !isSingleFolder(parts[from - 1] ?? '')) {
      const list = LISTS.find(([form]) => form.test(ending))
      if (list) return { path, kind: list[1], type: 'list', name: called }
      if (AFFAIR.test(ending)) return { path, kind: 'charter_affair', type: 'affair', name: called.replace(/^charter_affairs?[_-]/i, '') }
      const single = SINGLE_RECORDS.find(([form]) => form.test(ending))
      if (single) return { path, kind: single[1], type: 'single', name: called }
    }
  }
  return undefined
}
/** A folder whose files are named after records, so their names can be anything. */
const isSingleFolder = (folder: string): boolean =>
  AFFAIR.test(folder.toLowerCase()) || (folder !== '' && SINGLE_RECORDS.some(([form]) => form.test(`${folder.toLowerCase()}/x`)))

const parseFile = async (folder: string, path: string, findings: Findings, memory: { bytes: number }): Promise<unknown> => {
  const about = { file: path, kind: 'file', recordId: '', name: '' }
  const { size } = await stat(join(folder, path))
  if (size > MAX_FILE_BYTES) {
    findings.add(about, '', 'not placed', { value: `${size} bytes`, reason: 'the file is larger than 50 MB' })
    return undefined
  }
  const bytes = await readFile(join(folder, path))
  memory.bytes += countObjectBytes(bytes)
  if (memory.bytes > MAX_OBJECT_BYTES)
    throw new ImportError(`${folder} takes too much memory: its records are more than a network has, the last ones in ${path}`)
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return JSON.parse(new TextDecoder(encoding).decode(bytes)) as unknown
  } catch (error) {
    findings.add(about, '', 'not placed', {
      value: new TextDecoder(encoding).decode(bytes.subarray(0, 200)),
      reason: `the file is not JSON: ${(error as Error).message}`,
    })
    return undefined
  }
}

const READING_ORDER = ['list', 'affair', 'single'] as const

/** Reads all responses in a folder into one network. Unreadable files are reported, and the others are used. */
export const readFolder = async (folder: string, findings: Findings, checkStop: () => void): Promise<LegacyFolder> => {
  const network = new LegacyNetwork(findings)
  const files: ReadFileSummary[] = []
  const named: IdentifiedFile[] = []
  const pictures = new Map<string, string>()
  const memory = { bytes: 0 }
  for (const path of await listFiles(folder)) {
    const found = identifyFile(path)
    if (PICTURES.test(path) || /\.(jpe?g|png|ico|gif|webp)$/i.test(path)) pictures.set(basename(path).toLowerCase(), join(folder, path))
    else if (found) named.push(found)
    else if (!IGNORED.test(normalizePath(path).toLowerCase()))
      findings.add({ file: path, kind: 'file', recordId: '', name: '' }, '', 'not placed', {
        value: path,
        reason: 'is not a known answer',
      })
  }
  if (named.length === 0)
    throw new ImportError(`${folder} holds none of the old program's answers (brand.json, charters_pop.json, sites_pop.json …)`)
  for (const { path, kind, type: is, name: called } of named.toSorted(
    (a, b) => READING_ORDER.indexOf(a.type) - READING_ORDER.indexOf(b.type),
  )) {
    checkStop()
    const answer = await parseFile(folder, path, findings, memory)
    if (answer === undefined) continue
    const records = findRecords(answer, [kind, called])
    if (records === undefined) {
      findings.add({ file: path, kind: 'file', recordId: '', name: '' }, '', 'not placed', {
        value: answer,
        reason: 'holds no list of records',
      })
      continue
    }
    if (is === 'affair') network.addAffair(records, path, called)
    else for (const one of records) network.addRecord(kind, one, path, kind === 'role' ? getRoleGroup(path, one) : {}, is === 'list')
    if (is === 'list') network.listedKinds.add(kind)
    files.push({ name: path, kind, records: records.length })
  }
  if (files.length === 0)
    throw new ImportError(
      `None of the ${named.length} answers in ${folder} can be read; ${findings.all[0]?.file}: ${findings.all[0]?.reason}`,
    )
  if (pictures.size > 0) files.push({ name: 'pictures', kind: 'pictures', records: pictures.size })
  network.resolveNestedRecords()
  return { network, files, pictures }
}

/** The group of a list of roles, if its file name contains it. */
const getRoleGroup = (path: string, role: unknown): RawRecord => {
  const group = ROLE_GROUPS.find((one) => path.toUpperCase().replaceAll('-', '_').includes(one))
  return group !== undefined && isObject(role) && isEmpty(role['group']) ? { group } : {}
}
