import { SAVE } from '../../../../platform/web/keyboard.ts'

/** Of the page on which a suggestion is decided. */
export const DECIDE_KEYS = {
  accept: { keys: ['A'], does: 'Accept the value' },
  edit: { keys: ['E'], does: 'Edit the value' },
  decline: { keys: ['D'], does: 'Decline the value' },
  down: { keys: ['↓'], does: 'Next field' },
  up: { keys: ['↑'], does: 'Previous field' },
  save: { ...SAVE, does: 'Save and answer' },
  next: { keys: [']'], does: 'Next suggestion' },
  previous: { keys: ['['], does: 'Previous suggestion' },
}
export const DECIDE_GROUP = { title: 'This suggestion', shortcuts: DECIDE_KEYS }
