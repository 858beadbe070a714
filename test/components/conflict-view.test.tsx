import { describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'

import { ConflictView } from '../../src/platform/web/form/ConflictView.tsx'
import type { FormField } from '../../src/platform/web/form/fields.ts'
import { mergeEdits } from '../../src/platform/web/form/merge.ts'
import type { Values } from '../../src/platform/web/form/values.ts'
import { expectAccessible } from './accessibility.ts'
import { render } from './render.tsx'

const FIELDS: Readonly<Record<string, FormField>> = {
  phone: { kind: 'line', label: 'Phone' },
  closures: { kind: 'lines', label: 'Closures' },
  city: { kind: 'line', label: 'City' },
  fax: { kind: 'line', label: 'Fax' },
}
const BEFORE = { phone: '661-555-0140', closures: 'Closed in July.', city: 'Lancaster', fax: null }
const MINE = { ...BEFORE, phone: '661-555-0142', closures: 'Closed on Fridays in July.', city: 'Palmdale' }
const THEIRS = { ...BEFORE, phone: '661-555-0181', closures: 'Closed on Mondays in July.', fax: '6615550149' }

const setUp = (mine: Values = MINE, theirs: Values = THEIRS) => {
  const form = { saveMerged: vi.fn<(chosen: Values) => Promise<void>>(), returnToForm: vi.fn<(texts: Values) => void>(), isSaving: false }
  const snapshot = { values: theirs, version: 2, updatedBy: 'Marisol Vega', updatedAt: new Date().toISOString() }
  const conflict = { merge: mergeEdits(BEFORE, mine, theirs), before: BEFORE, mine, theirs: snapshot, part: null }
  render(<ConflictView conflict={conflict} form={form} fields={FIELDS} />)
  return form
}
const group = (label: string) => page.getByRole('group', { name: new RegExp(`^${label}`) })
const saveButton = page.getByRole('button', { name: 'Save Combined Version' })

describe('two edits of one record', () => {
  test('show who saved the other one, and both versions of a field with their differences and the original', async () => {
    setUp()
    const heading = page.getByRole('heading', { level: 1, name: 'Marisol Vega saved this while you were editing' })
    await expect.element(heading).toHaveFocus()
    await expect
      .element(page.getByRole('heading', { name: /You both changed 2 fields/ }))
      .toHaveTextContent('You both changed 2 fields 2 to choose')
    const marked = [...group('Phone').element().querySelectorAll('mark')].map(({ textContent }) => textContent)
    expect(marked, 'the letters that differ').toEqual(['42', '81'])
    expect(group('Phone').element().textContent).toContain('Original661-555-0140')
    await expectAccessible()
  })

  test('are merged if only one of the two changed a field', async () => {
    setUp()
    const kept = page.getByRole('region', { name: 'Changed by only one of you. Both changes will be saved.' })
    await expect.element(kept.getByRole('listitem').filter({ hasText: 'City' })).toHaveTextContent('CityPalmdaleBefore: LancasterYou')
    await expect.element(kept.getByRole('listitem').filter({ hasText: 'Fax' })).toHaveTextContent('Fax6615550149Before: emptyMarisol Vega')
  })

  test('are saved only once every field has a choice; Save focuses the first field without one', async () => {
    const { saveMerged } = setUp()
    await saveButton.click()
    await expect.element(group('Phone').getByRole('radio', { name: /Your version/ })).toHaveFocus()
    await group('Phone')
      .getByRole('radio', { name: /Marisol Vega/ })
      .click()
    await saveButton.click()
    await expect.element(group('Closures').getByRole('radio', { name: /Your version/ })).toHaveFocus()
    expect(saveMerged).not.toHaveBeenCalled()
    await group('Closures')
      .getByRole('radio', { name: /Your version/ })
      .click()
    await saveButton.click()
    expect(saveMerged).toHaveBeenCalledExactlyOnceWith({ phone: '661-555-0181', closures: 'Closed on Fridays in July.' })
  })

  test.each([
    { name: 'Keep All of Mine', kept: MINE },
    { name: 'Keep All of Theirs', kept: THEIRS },
  ])('are resolved with one click: $name', async ({ name, kept }) => {
    const { saveMerged } = setUp()
    await page.getByRole('button', { name }).click()
    await expect.element(page.getByText('You have chosen for every field.')).toBeVisible()
    await saveButton.click()
    expect(saveMerged).toHaveBeenCalledExactlyOnceWith({ phone: kept.phone, closures: kept.closures })
  })

  test('of a long text can be combined, and the combined text is shown in the form too', async () => {
    const { saveMerged, returnToForm } = setUp()
    await group('Phone')
      .getByRole('radio', { name: /Your version/ })
      .click()
    await group('Closures').getByRole('radio', { name: 'Both, combined' }).click()
    await page.getByRole('textbox', { name: 'Closures, combined' }).fill('Closed on Mondays and Fridays in July.')
    await page.getByRole('button', { name: 'Back to the Form' }).last().click()
    expect(returnToForm).toHaveBeenCalledExactlyOnceWith({ closures: 'Closed on Mondays and Fridays in July.' })
    await saveButton.click()
    expect(saveMerged).toHaveBeenCalledExactlyOnceWith({ phone: '661-555-0142', closures: 'Closed on Mondays and Fridays in July.' })
    await expect.element(group('Phone').getByRole('radio', { name: 'Both, combined' })).not.toBeInTheDocument()
  })
})
