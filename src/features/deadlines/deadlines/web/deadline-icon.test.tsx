import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'

import { KIND_NAMES } from '../../../../contract/deadlines.ts'
import { DeadlineIcon } from './DeadlineIcon.tsx'

const drawOutline = (markup: string): string | undefined => / d="([^"]+)"/.exec(markup)?.[1]

describe('the icon of a deadline', () => {
  test('is a circle for oversight (filled) and board meetings (outlined); every other kind has its own shape', () => {
    const outlines = KIND_NAMES.map((kind) => drawOutline(renderToStaticMarkup(<DeadlineIcon kind={kind} />)))
    expect(outlines).not.toContain(undefined)
    expect(new Set(outlines).size).toBe(KIND_NAMES.length - 1)
  })

  test('is a check if the deadline is handled', () => {
    const [open, handled] = (['open', 'handled'] as const).map((state) =>
      renderToStaticMarkup(<DeadlineIcon kind="petition" state={state} />),
    )
    expect(open).toContain('tabler-icon-file-text')
    expect(handled).not.toContain('tabler-icon')
    expect(drawOutline(handled ?? '')).toBe(drawOutline(open ?? ''))
  })

  test('has a ring if the deadline is overdue', () => {
    const count = (isOverdue: boolean): number =>
      renderToStaticMarkup(<DeadlineIcon kind="petition" isOverdue={isOverdue} />).split('<circle').length - 1
    expect([count(false), count(true)]).toEqual([0, 1])
  })

  test('is hidden from screen readers', () => {
    expect(renderToStaticMarkup(<DeadlineIcon kind="lease" />)).toContain('aria-hidden="true"')
  })
})
