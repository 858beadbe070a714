import { existsSync, globSync, statSync } from 'node:fs'

import { expect, test } from 'vitest'

import { can } from '../../../contract/capabilities.ts'
import { PAGE_LIST } from '../../../contract/pages.ts'
import { getGuides, GUIDES_FOLDER, readGuide } from './guides.server.ts'
import { findHelp, getGuidesOf } from './queries.server.ts'

const ONLY_MISSING = new Set(['/404', '/$'])
const LEVELS = [10, 6, 5, 1]
const MAX_PICTURE_BYTES = 500_000

/** The headings within a section. */
const findAnchors = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)

test('every file of docs/users is a guide, and every guide has sections with names of their own', () => {
  const files = globSync('*.md', { cwd: GUIDES_FOLDER }).map((name) => name.replace('.md', ''))
  expect(new Set(getGuides().map(({ id }) => id))).toEqual(new Set(files))
  for (const { id, sections } of getGuides()) {
    expect(sections.length, id).toBeGreaterThan(0)
    expect(new Set(sections.map((section) => section.id)).size, id).toBe(sections.length)
  }
})

test.each(LEVELS)('at level %i, every page that can be opened has a section', (level) => {
  const covered = new Set(getGuidesOf(level).flatMap(({ sections }) => sections.flatMap(({ pages }) => pages)))
  const pages = PAGE_LIST.filter(
    ([path, { standalone, capability }]) =>
      standalone === undefined && !ONLY_MISSING.has(path) && (capability === undefined || can(level, capability)),
  ).map(([path]) => path)
  expect(pages.filter((path) => !covered.has(path))).toEqual([])
})

test('sections name only pages that exist', () => {
  const known = new Set<string>(PAGE_LIST.map(([path]) => path))
  const named = getGuides().flatMap(({ sections }) => sections.flatMap(({ pages }) => pages))
  expect(named.filter((page) => !known.has(page))).toEqual([])
})

test('every link within the help leads to a section that exists', () => {
  const addresses = new Set(
    getGuides().flatMap(({ id, sections }) => [
      `/help/${id}`,
      ...sections.flatMap((section) => [section.id, ...findAnchors(section.html)].map((anchor) => `/help/${id}?section=${anchor}`)),
    ]),
  )
  const links = getGuides().flatMap(({ sections }) =>
    sections.flatMap(({ html }) => [...html.matchAll(/href="(\/[^"]+)"/g)].map(([, href = '']) => href)),
  )
  expect(links.length).toBeGreaterThan(5)
  expect(links.filter((href) => !addresses.has(href))).toEqual([])
})

test('every picture exists, light and dark, and all of them are small', () => {
  const named = getGuides().flatMap(({ sections }) =>
    sections.flatMap(({ html }) => [...html.matchAll(/(?:src|srcset)="\/api\/help\/pictures\/([^"]+)"/g)].map(([, name = '']) => name)),
  )
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !existsSync(`${GUIDES_FOLDER}pictures/${name}.webp`))).toEqual([])
  const bytes = globSync('pictures/*.webp', { cwd: GUIDES_FOLDER }).reduce((sum, name) => sum + statSync(`${GUIDES_FOLDER}${name}`).size, 0)
  expect(bytes, 'bytes of all pictures').toBeLessThan(MAX_PICTURE_BYTES)
})

test('a comment names level, pages and words; a section without a level is for everyone who can open one of its pages', () => {
  const { title, sections } = readGuide(
    'huts',
    '# Huts\n<!-- order 3; pages /planned -->\nAbout huts.\n\n## Plan\nText\n\n## Open\n<!-- level 5; pages /locations; words door -->\nText\n',
  )
  expect(title).toBe('Huts')
  expect(sections.map(({ id, level, pages, words }) => [id, level, pages, words])).toEqual([
    ['about', 6, ['/planned'], ''],
    ['plan', 6, ['/planned'], ''],
    ['open', 5, ['/locations'], 'door'],
  ])
  expect(readGuide('new', '# New\n\n## First\nText\n').sections.map(({ level }) => level)).toEqual([10])
})

test('HTML in a text is left out, and no address can run a script', () => {
  const [section] = readGuide(
    'bad',
    '# Bad\n\n## One\n<script>alert(1)</script>\n\nA <b onclick="x">word</b> [a](javascript:alert(1)) ![b](https://elsewhere.example/x.png) [c](../operators/backup.md)\n',
  ).sections
  expect(section?.html).toBe('<p>A word a  c</p>\n')
})

test.each([
  ['how do I change hours of many sites', 'Change many records together'],
  ['How can I change the phone of several sites?', 'Change many records together'],
  ['how do i merge two records', 'Merge two records'],
  ['how to install the app on an iphone', 'Install the app'],
  ['how do I see all staff', 'See all staff'],
  ['phone list', 'See all staff'],
  ['teachers list', 'See all staff'],
  ['how do I see all employees?', 'See all staff'],
  ['what is a finance number', 'Words of the trade'],
  ['what is WASC', 'Words of the trade'],
  ['someone leaves', 'Someone leaves'],
  ['how do I see deadlines in outlook?', 'See deadlines in Outlook, Google or Apple'],
  ['how do i make someone an administrator', 'Make someone an administrator'],
])('“%s” finds the section “%s”', (typed, title) => {
  expect(findHelp(typed, 1)[0]?.title).toBe(title)
})

test('a section above the level of the reader is not found', () => {
  expect(findHelp('how do I change hours of many sites', 10).map(({ title }) => title)).not.toContain('Change many records together')
  expect(findHelp('how do I erase personal data?', 6).map(({ title }) => title)).not.toContain('Erase personal data')
})

test('a name finds no section because of a word in a text', () => {
  expect(findHelp('Ana Ruiz', 1)).toEqual([])
})
