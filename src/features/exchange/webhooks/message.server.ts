import { toOneLine } from '../../../platform/server/mail/layout.ts'
import type { Message } from './contract.ts'

const MAX_VALUE_LENGTH = 300
const MAX_TEXT_LENGTH = 1000
/** As long as the heading of a message in Slack can be. */
const MAX_TITLE_LENGTH = 150

const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 2).replace(/[\uD800-\uDBFF]$/, '')} …`

/** Shows nothing, and separates what a program would read as one. */
const JOINER = '\u2060'
const separate = (found: string): string => `${found[0]}${JOINER}${found.slice(1)}`

/**
 * A text on one line. Both formats have parts whose texts are not read as markup, and texts of people are only there; a program that reads them
 * nevertheless finds no mention, no link and no function.
 */
const cleanText = (text: string): string => toOneLine(text).replaceAll(/<[!@#/a-z]|\]\(|@(?:channel|here|everyone|all)|\{\{/giu, separate)

/** A name, of which a program makes no link either: they find web addresses and emails in any text. */
const cleanName = (text: string): string =>
  cleanText(text).replaceAll(/(?<=[\p{L}\p{N}])(?:\.(?=\p{L})|@(?=[\p{L}\p{N}]))|:(?=\/\/)/gu, (found) => `${found}${JOINER}`)

const cleanValue = (text: string | undefined, length: number): string | undefined =>
  text === undefined ? undefined : cleanText(shorten(text, length))

/** The message with texts that are safe in both formats, and not too long. */
const cleanMessage = ({ title, intro, facts, groups, more, button }: Message): Message => ({
  title: shorten(cleanName(title), MAX_TITLE_LENGTH),
  intro: intro.map((text) => shorten(cleanName(text), MAX_VALUE_LENGTH)),
  facts: facts.map(({ label, from, to }) => {
    const length = from === undefined ? MAX_TEXT_LENGTH : MAX_VALUE_LENGTH
    return { label: shorten(cleanName(label), MAX_TITLE_LENGTH), from: cleanValue(from, length), to: cleanValue(to, length) }
  }),
  groups: groups.map((group) => ({
    title: group.title,
    rows: group.rows.map((row) => ({
      title: shorten(cleanName(row.title), MAX_TITLE_LENGTH),
      href: row.href,
      details: row.details.map((text) => shorten(cleanName(text), MAX_VALUE_LENGTH)),
    })),
  })),
  more,
  button,
})

/** The first items of the message, facts and rows together. */
const cutMessage = (message: Message, length: number): Message => {
  let left = length
  const take = <T>(all: readonly T[]): T[] => {
    const taken = all.slice(0, left)
    left -= taken.length
    return taken
  }
  const facts = take(message.facts)
  const groups = message.groups.map((group) => ({ ...group, rows: take(group.rows) })).filter(({ rows }) => rows.length > 0)
  const count = ({ facts: all, groups: of }: Pick<Message, 'facts' | 'groups'>): number =>
    all.length + of.reduce((sum, { rows }) => sum + rows.length, 0)
  return { ...message, facts, groups, more: message.more + count(message) - count({ facts, groups }) }
}

/** How many items a message has at most; fewer if they do not fit. */
const ITEM_LIMITS = [24, 12, 6, 3, 1] as const

type Render = (message: Message) => object

/** What a channel shows of a message that has at most this size as JSON. */
export const cutToFit = (message: Message, maxBytes: number, render: Render): Message => {
  const clean = cleanMessage(message)
  let cut = clean
  for (const limit of ITEM_LIMITS) {
    cut = cutMessage(clean, limit)
    if (new TextEncoder().encode(JSON.stringify(render(cut))).length <= maxBytes) break
  }
  return cut
}

/** A message as JSON of at most this size. */
export const fitMessage = (message: Message, maxBytes: number, render: Render): string =>
  JSON.stringify(render(cutToFit(message, maxBytes, render)))

/** The message in one line, for notifications. */
export const toNotification = ({ title, intro }: Message): string => [title, ...intro].join(': ')

export const formatMore = (more: number): string => `and ${more.toLocaleString('en-US')} more`

/** What a fact says after its label: the old value, how it is told from the new one, the new one. */
export const ARROW = ' → '
