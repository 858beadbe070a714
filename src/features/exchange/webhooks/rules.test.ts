import { readFileSync } from 'node:fs'

import { expect, test } from 'vitest'

import { EVENT_KIND_LABELS, EVENT_KINDS, EVENT_TYPES, EVENTS, formatEvents, type EventKind } from './rules.ts'

test('the events of a webhook are listed by kind, and by the name of the kind if it has all of them', () => {
  expect(formatEvents(['person.left', 'site.created', 'site.changed', 'grant.created', 'grant.changed', 'grant.removed'])).toBe(
    'Sites (created, changed), People (left), Permissions',
  )
  expect(formatEvents(EVENT_TYPES)).toBe(EVENT_KINDS.map((kind) => EVENT_KIND_LABELS[kind]).join(', '))
})

test('docs/operators/webhooks.md lists every event with its description', () => {
  const page = readFileSync(new URL('../../../../docs/operators/webhooks.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^\| `(\w+\.\w+)` \| (.+) \|$/gm)].map(([, type, words]) => [type, words])
  const toRows = (kind: EventKind) => Object.entries(EVENTS[kind]).map(([name, words]) => [`${kind}.${name}`, words])
  expect(listed).toEqual(EVENT_KINDS.flatMap(toRows))
})
