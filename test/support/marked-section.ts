/** A documentation page with the text inserted between the markers with this name; throws if the markers are missing. */
export const replaceMarkedSection = (page: string, name: string, text: string): string => {
  const begin = `<!-- figures of ${name} -->`
  const end = '<!-- end -->'
  const from = page.indexOf(begin)
  const to = page.indexOf(end, from)
  if (from < 0 || to < 0) throw new Error(`The page has no place for the figures of ${name}: "${begin}" and "${end}"`)
  return `${page.slice(0, from)}${begin}\n${text}\n${page.slice(to)}`
}
