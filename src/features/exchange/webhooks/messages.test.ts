import type { KnownBlock } from '@slack/types'
import { describe, expect, test } from 'vitest'

import { createCardValidator } from '../../../../test/support/adaptive-cards.ts'
import { MAX_TEAMS_BYTES, toTeamsMessage } from './adaptive-card.server.ts'
import type { Message } from './contract.ts'
import { fitMessage } from './message.server.ts'
import { MAX_SLACK_BYTES, toSlackMessage } from './slack-message.server.ts'

const findErrors = createCardValidator()

const PAGE = 'https://homeroom.example.org/location/lodi'
const MESSAGE: Message = {
  title: 'Lodi Resource Center',
  intro: ['Ana Ruiz changed the site.'],
  facts: [
    { label: 'Phone', from: '(209) 555-0100', to: '(209) 555-0199' },
    { label: 'Why', to: 'The number moved' },
  ],
  groups: [],
  more: 0,
  button: { text: 'Open in Homeroom', href: PAGE },
}
const row = (title: string) => ({ title, href: PAGE, details: ['Ana Ruiz changed the site.', 'Phone: 1 → 2'] })
const GATHERED: Message = { ...MESSAGE, facts: [], groups: [{ title: 'Overdue', rows: [row('Lodi'), row('Galt')] }], more: 3 }

const ONE_TEXTS = [
  'Lodi Resource Center',
  'Ana Ruiz changed the site.',
  'Phone',
  '(209) 555-0100',
  ' → ',
  '(209) 555-0199',
  'Why',
  'The number moved',
]
const GATHERED_TEXTS = [
  ['Lodi Resource Center', 'Ana Ruiz changed the site.'],
  ['Overdue'],
  ['Lodi', 'Ana Ruiz changed the site.', 'Phone: 1 → 2'],
  ['Galt', 'Ana Ruiz changed the site.', 'Phone: 1 → 2'],
  ['and 3 more'],
].flat()

interface Node {
  readonly type?: string
  readonly text?: string
  readonly url?: string
  readonly [name: string]: unknown
}
const renderCard = (message: Message): Node =>
  (JSON.parse(fitMessage(message, MAX_TEAMS_BYTES, toTeamsMessage)) as ReturnType<typeof toTeamsMessage>).attachments[0]?.content ?? {}
const renderSlack = (message: Message) =>
  JSON.parse(fitMessage(message, MAX_SLACK_BYTES, toSlackMessage)) as { text: string; mrkdwn: boolean; blocks: KnownBlock[] }
/** All objects of a message. */
const listNodes = (value: unknown): Node[] =>
  Array.isArray(value)
    ? value.flatMap(listNodes)
    : typeof value === 'object' && value !== null
      ? [value as Node, ...Object.values(value).flatMap(listNodes)]
      : []
const listTexts = (value: unknown): string[] => listNodes(value).flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
const listAddresses = (value: unknown): string[] => listNodes(value).flatMap(({ url }) => (url === undefined ? [] : [url]))

describe('a card of Teams', () => {
  test.each([
    ['about one change', MESSAGE, ONE_TEXTS],
    ['that gathers several', GATHERED, GATHERED_TEXTS],
  ])('%s has who, what, from, to and the link, and is valid by the published schema', (_name, message, texts) => {
    const card = renderCard(message)
    expect(findErrors(card)).toEqual([])
    expect(card).toMatchObject({ type: 'AdaptiveCard', version: '1.5', actions: [{ type: 'Action.OpenUrl', url: PAGE }] })
    expect(listTexts(card)).toEqual(texts)
  })

  test('is in the envelope that Workflows takes', () => {
    expect(toTeamsMessage(MESSAGE)).toMatchObject({
      type: 'message',
      attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null }],
    })
  })

  test('is refused by the schema if a part is wrong, so that the check can fail', () => {
    expect(findErrors({ ...renderCard(MESSAGE), body: [{ type: 'RichTextBlock' }] })).not.toEqual([])
  })
})

test.each([
  ['about one change', MESSAGE, ONE_TEXTS],
  ['that gathers several', GATHERED, GATHERED_TEXTS],
])('a message of Slack %s has who, what, from, to and the link', (_name, message, texts) => {
  const { blocks, text, mrkdwn } = renderSlack(message)
  expect(text).toBe('Lodi Resource Center: Ana Ruiz changed the site.')
  expect(mrkdwn).toBe(false)
  expect(listTexts(blocks)).toEqual([...texts, 'Open in Homeroom'])
  expect(new Set(listAddresses(blocks))).toEqual(new Set([PAGE]))
})

const ATTACKS = [
  '<!channel> read this',
  '<!here|here>',
  '<@U012AB3CD>',
  '<#C012AB3CD|general>',
  '<https://evil.example/login|Sign in>',
  '@channel @here @everyone',
  '[Sign in](https://evil.example/login)',
  '![x](https://evil.example/pixel.png)',
  '<at>Everyone</at>',
  '{{DATE(2026-11-29T00:00:00Z,SHORT)}}',
  '**bold** _underlined_ ~struck~ `code`',
  '&lt;!channel&gt;',
  '"}],"actions":[{"type":"Action.OpenUrl","url":"https://evil.example"}]',
  'https://evil.example/login',
  'evil.example',
  'A\u202Etxt.exe\u0000\u2028',
]

describe.each(ATTACKS)('%j in every text', (attack) => {
  const message: Message = {
    title: attack,
    intro: [`${attack} changed the site.`],
    facts: [{ label: attack, from: attack, to: attack }],
    groups: [{ title: null, rows: [{ title: attack, href: PAGE, details: [attack] }] }],
    more: 0,
    button: { text: 'Review', href: PAGE },
  }
  const ENDS = /<[!@#]|<https?:|<at>|\]\(|@(channel|here|everyone)|\{\{/i

  test('mentions no one and makes no link in Teams', () => {
    const card = renderCard(message)
    expect(findErrors(card)).toEqual([])
    expect(new Set(listAddresses(card))).toEqual(new Set([PAGE]))
    // The texts of these are not read as Markdown; that of a TextBlock or FactSet is.
    const types = new Set(listNodes(card).map(({ type }) => type))
    expect([...types].toSorted()).toEqual(['Action.OpenUrl', 'AdaptiveCard', 'RichTextBlock', 'TextRun'])
    expect(listTexts(card).filter((text) => ENDS.test(text))).toEqual([])
  })

  test('mentions no one and makes no link in Slack', () => {
    const { blocks, text } = renderSlack(message)
    expect(new Set(listAddresses(blocks))).toEqual(new Set([PAGE]))
    expect(text).not.toMatch(/[<>]/)
    const types = new Set(listNodes(blocks).flatMap(({ type }) => type ?? []))
    expect([...types].toSorted()).toEqual(['header', 'link', 'plain_text', 'rich_text', 'rich_text_section', 'text'])
    expect(listTexts(blocks).filter((one) => ENDS.test(one))).toEqual([])
  })

  test('reads as it was typed', () => {
    const shown = listTexts(renderSlack(message).blocks).map((text) => text.replaceAll('\u2060', ''))
    expect(shown).toContain(attack.replace('\u202E', ' ').replace('\u0000\u2028', ''))
  })
})

test('a web address is not a link in a name, and can be copied from a value', () => {
  const message = {
    ...MESSAGE,
    title: 'https://evil.example',
    facts: [{ label: 'Website', from: 'empty', to: 'https://lodi.example.org' }],
  }
  const texts = listTexts(renderSlack(message).blocks)
  expect(texts).toContain('https://lodi.example.org')
  expect(texts).not.toContain('https://evil.example')
})

describe('the largest message', () => {
  const LONG = '𝒳é"\\'.repeat(5000)
  const huge: Message = {
    title: LONG,
    intro: [LONG, LONG],
    facts: Array.from({ length: 300 }, () => ({ label: LONG, from: LONG, to: LONG })),
    groups: [{ title: 'Overdue', rows: Array.from({ length: 300 }, () => ({ ...row(LONG), details: [LONG, LONG, LONG] })) }],
    more: 5,
    button: MESSAGE.button,
  }

  test('of Teams has less than 28 kB, and says how much was left out', () => {
    const body = fitMessage(huge, MAX_TEAMS_BYTES, toTeamsMessage)
    expect(Buffer.byteLength(body)).toBeLessThan(25_000)
    expect(findErrors(renderCard(huge))).toEqual([])
    expect(listTexts(renderCard(huge)).at(-1)).toMatch(/^and 59\d more$/)
  })

  test('of Slack has at most 50 blocks, 150 characters in its heading and 3,000 in each other block', () => {
    const { blocks, text } = renderSlack(huge)
    expect(blocks.length).toBeLessThanOrEqual(50)
    expect(text.length).toBeLessThan(3000)
    for (const block of blocks) {
      const length = listTexts(block).join('').length
      expect(length).toBeLessThanOrEqual(block.type === 'header' ? 150 : 3000)
      expect(length).toBeGreaterThan(0)
    }
  })

  test('has no half characters', () => {
    for (const text of [...listTexts(renderCard(huge)), ...listTexts(renderSlack(huge))]) expect(text.isWellFormed()).toBe(true)
  })
})
