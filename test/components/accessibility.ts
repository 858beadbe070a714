import axe from 'axe-core'
import { expect } from 'vitest'

/** axe finds nothing in what is drawn. What belongs to a whole document (its landmarks, its heading) is asked of pages. */
export const expectAccessible = async (): Promise<void> => {
  const { violations } = await axe.run(document.body, { resultTypes: ['violations'], rules: { region: { enabled: false } } })
  const found = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`))
  expect(found, 'axe finds nothing').toEqual([])
}
