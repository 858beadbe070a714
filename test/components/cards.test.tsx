import { type Action, AdaptiveCard, OpenUrlAction, SerializationContext, Versions } from 'adaptivecards'
import { expect, test } from 'vitest'

import { MAX_TEAMS_BYTES, toTeamsMessage } from '../../src/features/exchange/webhooks/adaptive-card.server.ts'
import { fitMessage, type Message } from '../../src/features/exchange/webhooks/message.server.ts'

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
const render = (message: Message) => {
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
  const { element, opened, problems } = render(MESSAGE)
  expect(problems).toEqual([])
  const text = element.innerText.replaceAll('\u2060', '')
  expect(text.split(ATTACK)).toHaveLength(8)
  expect(element.querySelectorAll('b, at, strong, img')).toHaveLength(0)
  expect([...element.querySelectorAll('a')].filter(({ href }) => href !== '' && href !== PAGE)).toEqual([])
  for (const button of element.querySelectorAll<HTMLElement>('button, a')) button.click()
  expect(new Set(opened)).toEqual(new Set([PAGE]))
})
