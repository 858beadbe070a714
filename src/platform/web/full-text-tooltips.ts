const isShortened = (element: Element): boolean => {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element)
  return (
    (textOverflow === 'ellipsis' || webkitLineClamp !== 'none') &&
    (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight + 2)
  )
}

/** The truncated texts at an element. The link of a card covers the whole card, so nothing below it receives pointer events. */
const shortenedAt = (target: Element): Element[] => {
  const card = target.matches('a, a *') ? target.closest('article, li') : null
  const around = [target, target.parentElement, target.parentElement?.parentElement].filter((one) => one instanceof HTMLElement)
  return (card ? [...card.querySelectorAll('*')] : [...around, ...target.children]).filter(isShortened)
}

/** Shows the full text as a tooltip wherever text is truncated with an ellipsis. */
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
