import { expect, test } from 'vitest'

import { findShortcut, isPressed } from './keyboard.ts'

const NO_MODIFIERS = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false }
const press = (key: string, held: Partial<typeof NO_MODIFIERS> = {}) => ({ ...NO_MODIFIERS, key, ...held })

test('a shortcut is pressed by its keys as the list writes them', () => {
  const down = { keys: ['↓', 'J'], does: 'Next' }
  expect([press('ArrowDown'), press('j'), press('J', { shiftKey: true })].map((one) => isPressed(one, down))).toEqual([true, true, true])
  expect(isPressed(press('j', { ctrlKey: true }), down)).toBe(false)
  expect(isPressed(press('j', { altKey: true }), down)).toBe(false)
  expect(isPressed(press('PageUp'), { keys: ['Page Up'], does: '' })).toBe(true)
  expect(isPressed(press(' '), { keys: ['Space'], does: '' })).toBe(true)
  expect(isPressed(press('?', { shiftKey: true }), { keys: ['?'], does: '' })).toBe(true)
})

test('Ctrl is Cmd on a Mac, and with Shift it is another shortcut', () => {
  const save = { keys: ['Ctrl S'], does: 'Save' }
  expect(isPressed(press('s', { ctrlKey: true }), save)).toBe(true)
  expect(isPressed(press('s', { metaKey: true }), save)).toBe(true)
  expect(isPressed(press('S', { ctrlKey: true, shiftKey: true }), save)).toBe(false)
  expect(isPressed(press('s'), save)).toBe(false)
})

test('the shortcut that is pressed is found by its name', () => {
  const shortcuts = { up: { keys: ['↑'], does: 'Up' }, undo: { keys: ['Ctrl Z'], does: 'Undo' } }
  expect(findShortcut(press('ArrowUp'), shortcuts)).toBe('up')
  expect(findShortcut(press('z', { ctrlKey: true }), shortcuts)).toBe('undo')
  expect(findShortcut(press('z'), shortcuts)).toBeUndefined()
})
