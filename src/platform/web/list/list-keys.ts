import type { ShortcutGroup } from '../shortcuts.ts'

/** Between the records of a list. Enter is the browser's, on the link of a record. */
export const MOVE_KEYS = {
  down: { keys: ['↓'], does: 'Next record, from the search field too' },
  up: { keys: ['↑'], does: 'Previous record, or the search field' },
  right: { keys: ['→'], does: 'The card or cell to the right' },
  left: { keys: ['←'], does: 'The card or cell to the left' },
  first: { keys: ['Home'], does: 'First record' },
  last: { keys: ['End'], does: 'Last record' },
} as const satisfies ShortcutGroup['shortcuts']

export const LIST_GROUP: ShortcutGroup = {
  title: 'This list',
  shortcuts: { ...MOVE_KEYS, open: { keys: ['Enter'], does: 'Open the record' }, clear: { keys: ['Esc'], does: 'Clear the search' } },
}

export const SELECTION_KEYS = {
  toggle: { keys: ['Space'], does: 'Select the record' },
  all: { keys: ['Ctrl A'], does: 'Select all listed records' },
  clear: { keys: ['Esc'], does: 'Clear the selection' },
} as const satisfies ShortcutGroup['shortcuts']

export const SELECTION_GROUP: ShortcutGroup = {
  title: 'Selected records',
  shortcuts: SELECTION_KEYS,
  note: 'Shift and a click select all records from the last one.',
}

export const CELL_KEYS = {
  open: { keys: ['Enter', 'F2'], does: 'Change the cell. Typing replaces its value' },
  undo: { keys: ['Ctrl Z'], does: 'Undo the cell saved last' },
} as const satisfies ShortcutGroup['shortcuts']

/** The keys of an open cell are those of its form. */
export const CELL_GROUP: ShortcutGroup = {
  title: 'Cells that can be changed',
  shortcuts: { ...CELL_KEYS, paste: { keys: ['Ctrl V'], does: 'Paste cells from Excel' } },
  note: 'In an open cell, Enter saves and goes down, Tab saves and goes right, Esc cancels.',
}
