import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'

import { KIND_NAMES } from '../fields.ts'
import { DeadlineIcon } from './DeadlineIcon.tsx'

const drawOutline = (markup: string): string | undefined => / d="([^"]+)"/.exec(markup)?.[1]

describe('the sign of a deadline', () => {
  test('oversight and board meetings share the circle, filled and not; every other kind has an outline of its own', () => {
    const outlines = KIND_NAMES.map((kind) => drawOutline(renderToStaticMarkup(<DeadlineIcon kind={kind} />)))
    expect(outlines).not.toContain(undefined)
    expect(new Set(outlines).size).toBe(KIND_NAMES.length - 1)
  })

  test('a handled one has a check in place of its icon', () => {
    const [open, handled] = (['open', 'handled'] as const).map((state) =>
      renderToStaticMarkup(<DeadlineIcon kind="petition" state={state} />),
    )
    expect(open).toContain('tabler-icon-file-text')
    expect(handled).not.toContain('tabler-icon')
    expect(drawOutline(handled ?? '')).toBe(drawOutline(open ?? ''))
  })

  test('an overdue one has a ring', () => {
    const count = (isOverdue: boolean): number =>
      renderToStaticMarkup(<DeadlineIcon kind="petition" isOverdue={isOverdue} />).split('<circle').length - 1
    expect([count(false), count(true)]).toEqual([0, 1])
  })

  test('it is hidden from screen readers unless it has a label', () => {
    expect(renderToStaticMarkup(<DeadlineIcon kind="lease" />)).toContain('aria-hidden="true"')
    expect(renderToStaticMarkup(<DeadlineIcon kind="lease" label="Lease" />)).toMatch(/role="img" aria-label="Lease"/)
  })
})
