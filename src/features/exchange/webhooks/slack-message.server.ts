import type { KnownBlock, RichTextElement, RichTextSection } from '@slack/types'

import type { Message, MessageFact, MessageRow } from './contract.ts'
import { ARROW, formatMore, toNotification } from './message.server.ts'

export const MAX_SLACK_BYTES = 40_000

type Style = NonNullable<(RichTextElement & { readonly type: 'text' })['style']>

/** A text that is not read as mrkdwn. */
const toText = (text: string, style?: Style): RichTextElement => ({ type: 'text', text, ...(style ? { style } : {}) })
const toLink = (text: string, url: string): RichTextElement => ({ type: 'link', url, text, style: { bold: true } })
const toSection = (elements: RichTextElement[]): RichTextSection => ({ type: 'rich_text_section', elements })
const toBlock = (...lines: RichTextElement[][]): KnownBlock => ({
  type: 'rich_text',
  elements: lines.map(toSection),
})

const toFact = ({ label, from, to }: MessageFact): KnownBlock =>
  toBlock(
    [toText(label, { bold: true })],
    [
      ...(from === undefined ? [] : [toText(from)]),
      ...(from === undefined || to === undefined ? [] : [toText(ARROW)]),
      ...(to === undefined ? [] : [toText(to)]),
    ],
  )

const toRow = ({ title, href, details }: MessageRow): KnownBlock => toBlock([toLink(title, href)], ...details.map((text) => [toText(text)]))

/** For the one text that Slack reads as mrkdwn. */
const escapeMrkdwn = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** A message as incoming webhooks of Slack take it. */
export const toSlackMessage = (message: Message) => {
  const { title, intro, facts, groups, more, button } = message
  const blocks: KnownBlock[] = [
    { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
    ...(intro.length === 0 ? [] : [toBlock(...intro.map((text) => [toText(text)]))]),
    ...facts.map(toFact),
    ...groups.flatMap((group) => [
      ...(group.title === null ? [] : [toBlock([toText(group.title, { bold: true })])]),
      ...group.rows.map(toRow),
    ]),
    ...(more === 0 ? [] : [toBlock([toText(formatMore(more))])]),
    // A button of Slack needs a program that answers it; a link does not.
    toBlock([toLink(button.text, button.href)]),
  ]
  return { text: escapeMrkdwn(toNotification(message)), mrkdwn: false, unfurl_links: false, unfurl_media: false, blocks }
}
