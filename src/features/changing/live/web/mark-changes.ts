const MARK = 'data-just-changed'
const MARKED_MS = 5000
/** More than that is another view of the page, not a few facts. */
const MAX_MARKS = 40

/** What shows one fact: an entry of a list, a cell of a table, a value, a line of text, a link that calls a number. */
const FACTS = 'dd, td, th, li, p, h1, h2, h3, a:not(dd a, td a, th a, li a, p a)'
/** Where people type, or what says something else than the page. */
const NOT_SHOWN = 'form, [role="dialog"], [aria-hidden="true"]'

const listFacts = (): Element[] => [...document.querySelectorAll(`main :is(${FACTS})`)].filter((fact) => !fact.closest(NOT_SHOWN))

/** The texts that the page shows now. Returns a function that marks the facts that have another text by then, and says how many these are. */
export const watchFacts = (): (() => number) => {
  const before = new Map(listFacts().map((fact) => [fact, fact.textContent]))
  return () => {
    const changed = new Set(listFacts().filter((fact) => before.get(fact) !== fact.textContent))
    const isOuter = (fact: Element): boolean => [...fact.querySelectorAll(FACTS)].some((inner) => changed.has(inner))
    const isNew = (fact: Element): boolean => !before.has(fact)
    const isInNew = (fact: Element): boolean => {
      const around = fact.parentElement?.closest(FACTS)
      return around !== null && around !== undefined && isNew(around)
    }
    // The innermost fact that changed; of a new one all of it.
    const marked = [...changed].filter((fact) => (isNew(fact) ? !isInNew(fact) : !isOuter(fact)))
    if (marked.length > MAX_MARKS) return 0
    // When a record was changed is said anyway.
    for (const fact of marked) if (!fact.querySelector('time')) mark(fact)
    return marked.length
  }
}

const mark = (fact: Element): void => {
  const at = String(Date.now())
  fact.setAttribute(MARK, at)
  setTimeout(() => {
    if (fact.getAttribute(MARK) === at) fact.removeAttribute(MARK)
  }, MARKED_MS)
}
