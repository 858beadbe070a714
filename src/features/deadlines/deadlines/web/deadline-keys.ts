import type { ShortcutGroup } from '../../../../platform/web/shortcuts.ts'

type Shortcuts = ShortcutGroup['shortcuts']

export const VIEW_KEYS = {
  agenda: { keys: ['1'], does: 'Agenda' },
  month: { keys: ['2'], does: 'Month' },
  year: { keys: ['3'], does: 'Year' },
} as const satisfies Shortcuts

export const ROW_KEYS = {
  down: { keys: ['↓', 'J'], does: 'Next deadline or charter, or a week later' },
  up: { keys: ['↑', 'K'], does: 'Previous deadline or charter, or a week earlier' },
  first: { keys: ['Home'], does: 'First deadline, or first day of the week' },
  last: { keys: ['End'], does: 'Last deadline, or last day of the week' },
} as const satisfies Shortcuts

/** In the month and in the year. */
export const GRID_KEYS = {
  ...ROW_KEYS,
  left: { keys: ['←'], does: 'Previous mark of the year, or day of the month' },
  right: { keys: ['→'], does: 'Next mark of the year, or day of the month' },
} as const satisfies Shortcuts

export const MONTH_KEYS = {
  earlier: { keys: ['Page Up'], does: 'Previous month' },
  later: { keys: ['Page Down'], does: 'Next month' },
  today: { keys: ['T'], does: 'Today, in the month' },
} as const satisfies Shortcuts

export const ACTION_KEYS = {
  confirm: { keys: ['C'], does: 'Confirm the proposed date' },
  handle: { keys: ['H'], does: 'Handled' },
  putOff: { keys: ['P'], does: 'Put off' },
  assign: { keys: ['A'], does: 'Assign' },
  undo: { keys: ['U'], does: 'Undo: open again' },
} as const satisfies Shortcuts
export type DeadlineAction = keyof typeof ACTION_KEYS

export const DEADLINES_GROUP: ShortcutGroup = {
  title: 'Deadlines',
  shortcuts: {
    ...VIEW_KEYS,
    ...GRID_KEYS,
    ...MONTH_KEYS,
    open: { keys: ['Enter'], does: 'Open the field it was read from' },
    ...ACTION_KEYS,
  },
  note: 'Letters act only on the deadline that has the focus.',
}

/** Of dates to sort out. */
export const SORT_OUT_GROUP: ShortcutGroup = { title: 'Dates to sort out', shortcuts: { confirm: ACTION_KEYS.confirm } }
