/** The result of one check. A note is neither success nor failure, but worth knowing. */
export interface Finding {
  readonly state: 'right' | 'wrong' | 'note'
  readonly words: string
}

export const passed = (words: string): Finding => ({ state: 'right', words })
export const failed = (words: string): Finding => ({ state: 'wrong', words })
export const note = (words: string): Finding => ({ state: 'note', words })
