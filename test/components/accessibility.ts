import axe from 'axe-core'
import { expect } from 'vitest'

/** Expects that axe finds nothing in the rendered content. Rules about whole documents (landmarks, headings) are checked in pages. */
export const expectAccessible = async (): Promise<void> => {
  const { violations } = await axe.run(document.body, { resultTypes: ['violations'], rules: { region: { enabled: false } } })
  const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`))
  expect(found, 'axe finds nothing').toEqual([])
}
