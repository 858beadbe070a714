import type { TextStyle } from './text-layout.server.ts'

/** The colors of the web app, in its light theme. */
export const COLORS = { text: '#1E1C1A', dimmed: '#645F57', ink: '#2E4FBC', tint: '#F0F4FE', line: '#E8E4DE', sunken: '#F4F2EE' } as const

/** American letter, in points. */
export const PAGE = { width: 612, height: 792, left: 54, right: 558, top: 78, bottom: 732 } as const
export const CONTENT_WIDTH = PAGE.right - PAGE.left
export const CONTENT_HEIGHT = PAGE.bottom - PAGE.top

const { text, dimmed, ink } = COLORS
export const STYLES = {
  name: { weight: 'bold', size: 30, color: text, lineHeight: 37 },
  label: { weight: 'semibold', size: 11, color: ink, lineHeight: 16 },
  state: { weight: 'regular', size: 15, color: dimmed, lineHeight: 22 },
  chapter: { weight: 'bold', size: 21, color: text, lineHeight: 28 },
  record: { weight: 'bold', size: 14, color: text, lineHeight: 20 },
  block: { weight: 'semibold', size: 11, color: text, lineHeight: 16 },
  body: { weight: 'regular', size: 9.5, color: text, lineHeight: 14 },
  note: { weight: 'regular', size: 9.5, color: dimmed, lineHeight: 14 },
  head: { weight: 'semibold', size: 8.5, color: dimmed, lineHeight: 12 },
  factLabel: { weight: 'regular', size: 9, color: dimmed, lineHeight: 14 },
  cell: { weight: 'regular', size: 8.5, color: text, lineHeight: 12 },
  firstCell: { weight: 'semibold', size: 8.5, color: text, lineHeight: 12 },
  margin: { weight: 'regular', size: 8, color: dimmed, lineHeight: 11 },
  marginName: { weight: 'semibold', size: 8, color: text, lineHeight: 11 },
  part: { weight: 'semibold', size: 11, color: text, lineHeight: 22 },
  entry: { weight: 'regular', size: 9.5, color: text, lineHeight: 17 },
} as const satisfies Record<string, TextStyle>
