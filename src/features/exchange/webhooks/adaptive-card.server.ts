import type { Message, MessageFact, MessageRow } from './contract.ts'
import { ARROW, formatMore, toNotification } from './message.server.ts'

/** Teams refuses messages of more than 28 kB. Workflows puts the card into another one. */
export const MAX_TEAMS_BYTES = 24_000

interface TextStyle {
  readonly weight?: 'Bolder'
  readonly isSubtle?: true
  readonly size?: 'Small' | 'Large' | 'Medium'
  readonly selectAction?: { readonly type: 'Action.OpenUrl'; readonly url: string }
}

/** A text that is not read as Markdown, unlike that of a `TextBlock`. */
const toRun = (text: string, style: TextStyle = {}) => ({ type: 'TextRun', text, ...style })
const toLine = (runs: readonly ReturnType<typeof toRun>[], spacing: 'None' | 'Small' | 'Default' | 'Medium' | 'Large' = 'Default') => ({
  type: 'RichTextBlock',
  inlines: runs,
  spacing,
})
const QUIET = { isSubtle: true, size: 'Small' } as const

const toFact = ({ label, from, to }: MessageFact) => [
  toLine([toRun(label, QUIET)], 'Medium'),
  toLine(
    [
      ...(from === undefined ? [] : [toRun(from, { isSubtle: true })]),
      ...(from === undefined || to === undefined ? [] : [toRun(ARROW, { isSubtle: true })]),
      ...(to === undefined ? [] : [toRun(to)]),
    ],
    'None',
  ),
]

const toRow = ({ title, href, details }: MessageRow) => [
  toLine([toRun(title, { weight: 'Bolder', selectAction: { type: 'Action.OpenUrl', url: href } })], 'Medium'),
  ...details.map((text) => toLine([toRun(text, QUIET)], 'None')),
]

/** A message as Workflows of Teams take it: an Adaptive Card in an attachment. */
export const toTeamsMessage = (message: Message) => {
  const { title, intro, facts, groups, more, button } = message
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.5',
          fallbackText: toNotification(message),
          body: [
            toLine([toRun(title, { weight: 'Bolder', size: 'Medium' })]),
            ...intro.map((text) => toLine([toRun(text)], 'Small')),
            ...facts.flatMap(toFact),
            ...groups.flatMap((group) => [
              ...(group.title === null ? [] : [toLine([toRun(group.title, { weight: 'Bolder', isSubtle: true })], 'Large')]),
              ...group.rows.flatMap(toRow),
            ]),
            ...(more === 0 ? [] : [toLine([toRun(formatMore(more), QUIET)], 'Medium')]),
          ],
          actions: [{ type: 'Action.OpenUrl', title: button.text, url: button.href }],
        },
      },
    ],
  }
}
