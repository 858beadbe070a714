const isShortened = (element: Element): boolean => {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element)
  return (
    (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') &&
    (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight + 2)
  )
}

/** The texts at a place that end in an ellipsis. The link of a card covers the whole card, so that nothing below it is ever pointed at. */
const shortenedAt = (target: Element): Element[] => {
  const card = target.matches('a, a *') ? target.closest('article, li') : null
  const around = [target, target.parentElement, target.parentElement?.parentElement].filter((one) => one instanceof HTMLElement)
  return (card ? [...card.querySelectorAll('*')] : [...around, ...target.children]).filter(isShortened)
}

/** What ends in an ellipsis says the whole of it where it is pointed at. */
export const enableFullTextTooltips = (): void => {
  document.addEventListener('mouseover', ({ target }) => {
    if (!(target instanceof HTMLElement) || target.closest('[title]:not([data-full-text])')) return
    const text = [...new Set(shortenedAt(target).map((element) => element.textContent.trim()))].join('\n')
    if (text) {
      target.title = text
      target.dataset['fullText'] = ''
    } else if (target.dataset['fullText'] !== undefined) {
      target.removeAttribute('title')
      delete target.dataset['fullText']
    }
  })
}
