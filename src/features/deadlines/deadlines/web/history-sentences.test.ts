import { describe, expect, test } from 'vitest'

import type { Change } from '../../../changing/history/contract.ts'
import { describeChange } from './history-sentences.ts'

const change = (action: Change['action'], fields: Record<string, [from: unknown, to: unknown]>, names: Record<string, string> = {}) => ({
  action,
  fields: Object.entries(fields).map(([field, [from, to]]) => ({
    field,
    from,
    to,
    fromName: names[String(from)] ?? null,
    toName: names[String(to)] ?? null,
  })),
})

describe('the history of a deadline', () => {
  test.each([
    ['insert', { text: [null, 'Due 3/4/2030'], date: [null, '2030-03-04'] }, ['typed “Due 3/4/2030”, read as 03/04/2030']],
    ['insert', { text: [null, 'TBD'] }, ['typed “TBD”, which has no date']],
    [
      'insert',
      { title: [null, 'Form 990'], date: [null, '2030-03-04'], responsible: [null, 'p1'] },
      ['added it for 03/04/2030', 'assigned it to Ana Ruiz'],
    ],
    ['update', { state: ['open', 'handled'], note: [null, 'Report sent'] }, ['marked it as handled', 'noted “Report sent”']],
    ['update', { state: ['handled', 'open'] }, ['opened it again']],
    ['update', { state: ['open', 'snoozed'], snoozedUntil: [null, '2030-04-01'] }, ['put it off until 04/01/2030']],
    ['update', { snoozedUntil: ['2030-04-01', '2030-05-01'] }, ['put it off until 05/01/2030']],
    ['update', { state: ['snoozed', 'open'], snoozedUntil: ['2030-04-01', null] }, ['opened it again']],
    ['update', { responsible: ['p1', null] }, ['no longer assigns it to Ana Ruiz']],
    ['update', { responsible: ['p1', 'gone'] }, ['assigned it to a deleted person']],
    ['update', { date: [null, '2030-04-01'], isByHand: [false, true] }, ['set the date to 04/01/2030']],
    ['update', { date: ['2030-04-01', '2030-03-04'], isByHand: [true, false] }, ['went back to the date of the text, 03/04/2030']],
    ['update', { text: ['TBD', '3/4/2030'], date: [null, '2030-03-04'] }, ['changed the text to “3/4/2030”, read as 03/04/2030']],
    ['update', { text: ['3/4/2030', 'March 4, 2030'] }, ['changed the text to “March 4, 2030”']],
    ['update', { isIgnored: [false, true] }, ['said that it is not a deadline']],
    ['update', { isCurrent: [true, false] }, ['changed the field, which has another date now']],
    ['update', {}, ['changed it']],
    ['delete', { title: ['Form 990', null] }, ['deleted it']],
  ] as const)('%s %j', (action, fields, sentence) => {
    expect(describeChange(change(action, fields as never, { p1: 'Ana Ruiz' }))).toEqual(sentence)
  })
})
