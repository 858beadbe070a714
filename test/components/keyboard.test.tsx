import { expect, test } from 'vitest'
import { page } from 'vitest/browser'

import { isDialogOpen, isTyping, takesArrowKeys } from '../../src/platform/web/keyboard.ts'
import { render } from './render.tsx'

test('shortcuts leave letters to text fields, and arrow keys also to radio buttons', async () => {
  render(
    <>
      <input data-testid="text" />
      <input data-testid="search" type="search" />
      <textarea data-testid="textarea" />
      <select data-testid="select" aria-label="Choice" />
      <div data-testid="editable" contentEditable suppressContentEditableWarning />
      <input data-testid="radio" type="radio" />
      <input data-testid="checkbox" type="checkbox" />
      <button data-testid="button" type="button">
        Save
      </button>
    </>,
  )
  await expect.element(page.getByTestId('button')).toBeInTheDocument()
  const listThose = (check: (target: EventTarget | null) => boolean): (string | undefined)[] =>
    [...document.querySelectorAll<HTMLElement>('[data-testid]')].filter(check).map(({ dataset }) => dataset['testid'])
  const fields = ['text', 'search', 'textarea', 'select', 'editable']
  expect(listThose(isTyping)).toEqual(fields)
  expect(listThose(takesArrowKeys)).toEqual([...fields, 'radio'])
  expect([isTyping(document), isTyping(null), isDialogOpen()]).toEqual([false, false, false])
})
