import { describe, expect, test } from 'vitest'

import { listMentions, nameMentions, splitMentions, toStoredText } from './mentions.ts'

const ana = { _id: 'a1', name: 'Ana Ruiz' }
const anabel = { _id: 'a2', name: 'Ana Ruiz-Lopez' }

describe('mentions', () => {
  test('are stored by identifier, the longest name first, and only where the text still names them', () => {
    expect(toStoredText('@Ana Ruiz-Lopez and @Ana Ruiz: call ana@example.org', [ana, anabel])).toBe('@{a2} and @{a1}: call ana@example.org')
    expect(toStoredText('No one', [ana])).toBe('No one')
  })

  test('are found once each, and shown with the present name', () => {
    const stored = '@{a1} and @{a1}, then @{a2}'
    expect(listMentions(stored)).toEqual(['a1', 'a2'])
    expect(nameMentions(stored, (_id) => (_id === 'a1' ? 'Ana Maria Ruiz' : undefined))).toBe(
      '@Ana Maria Ruiz and @Ana Maria Ruiz, then @someone who was removed',
    )
  })

  test('a dollar sign in a name is only a character', () => {
    expect(nameMentions('@{a1}', () => 'A $& B')).toBe('@A $& B')
    expect(toStoredText('@A $& B', [{ _id: '$1', name: 'A $& B' }])).toBe('@{$1}')
  })

  test('split a text into people and what is between them', () => {
    expect(splitMentions('Ask @Ana Ruiz-Lopez, @Ana Ruiz.', [ana, anabel])).toEqual(['Ask ', anabel, ', ', ana, '.'])
    expect(splitMentions('Plain text', [])).toEqual(['Plain text'])
  })
})
