import { type Action, AdaptiveCard, OpenUrlAction, SerializationContext, Versions } from 'adaptivecards'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'

import { MAX_TEAMS_BYTES, toTeamsMessage } from '../../src/features/exchange/webhooks/adaptive-card.server.ts'
import type { Message } from '../../src/features/exchange/webhooks/contract.ts'
import { cutToFit, fitMessage } from '../../src/features/exchange/webhooks/message.server.ts'
import { MessageCard } from '../../src/features/exchange/webhooks/web/ChannelPreview.tsx'
import { render as renderPage } from './render.tsx'

const PAGE = 'https://homeroom.example.org/location/lodi'
const ATTACK = '[Sign in](https://evil.example/login) <at>Everyone</at> <b>bold</b> {{DATE(2026-11-29T00:00:00Z,SHORT)}} **now**'
const MESSAGE: Message = {
  title: ATTACK,
  intro: [`${ATTACK} changed the site.`],
  facts: [{ label: ATTACK, from: ATTACK, to: ATTACK }],
  groups: [{ title: 'Overdue', rows: [{ title: ATTACK, href: PAGE, details: [ATTACK] }] }],
  more: 3,
  button: { text: 'Review', href: PAGE },
}

/** Renders a message as the published renderer does. */
const renderCard = (message: Message) => {
  const body = JSON.parse(fitMessage(message, MAX_TEAMS_BYTES, toTeamsMessage)) as ReturnType<typeof toTeamsMessage>
  const context = new SerializationContext(Versions.v1_5)
  const card = new AdaptiveCard()
  card.parse(body.attachments[0]?.content, context)
  const opened: (string | undefined)[] = []
  card.onExecuteAction = (action: Action) => opened.push(action instanceof OpenUrlAction ? action.url : undefined)
  const element = card.render()
  if (!element) throw new Error('The card was not rendered')
  document.body.replaceChildren(element)
  const problems = Array.from({ length: context.eventCount }, (_, at) => context.getEventAt(at).message)
  return { element, opened, problems }
}

test('the published renderer shows a card with texts of an attacker as they were typed, with no link but ours', () => {
  const { element, opened, problems } = renderCard(MESSAGE)
  expect(problems).toEqual([])
  const text = element.innerText.replaceAll('\u2060', '')
  expect(text.split(ATTACK)).toHaveLength(8)
  expect(element.querySelectorAll('b, at, strong, img')).toHaveLength(0)
  expect([...element.querySelectorAll('a')].filter(({ href }) => href !== '' && href !== PAGE)).toEqual([])
  for (const button of element.querySelectorAll<HTMLElement>('button, a')) button.click()
  expect(new Set(opened)).toEqual(new Set([PAGE]))
})

test.each<Message>([
  MESSAGE,
  {
    ...MESSAGE,
    title: 'Lodi',
    facts: [
      { label: 'Phone', to: '(209) 555-0199' },
      { label: 'Fax', from: '(209) 555-0100' },
    ],
    groups: [],
    more: 0,
  },
  { ...MESSAGE, facts: Array.from({ length: 40 }, (_, at) => ({ label: `Field ${at}`, from: 'x'.repeat(400), to: 'y' })) },
])('the preview of a message has the texts of the card, as the published renderer shows it', async (message) => {
  const toLines = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
  const shown = toLines(renderCard(message).element.innerText)
  renderPage(<MessageCard message={cutToFit(message, MAX_TEAMS_BYTES, toTeamsMessage)} />)
  await expect.element(page.getByText(shown[0] ?? '').first()).toBeInTheDocument()
  expect(toLines(document.body.innerText)).toEqual(shown)
})
