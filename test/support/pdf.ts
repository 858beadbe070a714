import { getDocumentProxy } from 'unpdf'

interface StructureNode {
  readonly role?: string
  readonly children?: readonly StructureNode[]
}

export interface ReadPdf {
  /** The text of each page; words of a line are separated by spaces. */
  readonly pages: readonly string[]
  readonly text: string
  /** Bookmarks, those of records below those of chapters. */
  readonly bookmarks: readonly { readonly title: string; readonly below: readonly string[] }[]
  readonly title: unknown
  /** The structure elements of each page. */
  readonly roles: readonly ReadonlySet<string>[]
  readonly isMarked: boolean
  /** Links within the document, and the pages they lead to. */
  readonly links: readonly number[]
}

/** What a PDF says, as an independent library reads it. For each page, it reads the structure of all: a large file is read without. */
export const readPdf = async (bytes: Uint8Array, hasStructure = true): Promise<ReadPdf> => {
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  const pages: string[] = []
  const roles: Set<string>[] = []
  const links: number[] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number)
    const { items } = await page.getTextContent()
    pages.push(
      items
        .flatMap((item) => ('str' in item ? [item.str] : []))
        .join(' ')
        .replaceAll(/\s+/g, ' '),
    )
    const found = new Set<string>()
    const visit = ({ role, children = [] }: StructureNode): void => {
      if (role !== undefined) found.add(role)
      for (const child of children) visit(child)
    }
    if (hasStructure) visit(((await page.getStructTree()) ?? {}) as StructureNode)
    roles.push(found)
    for (const { dest } of (await page.getAnnotations()) as { dest?: unknown }[]) {
      const target = typeof dest === 'string' ? await pdf.getDestination(dest) : null
      if (target) links.push((await pdf.getPageIndex(target[0] as never)) + 1)
    }
  }
  const outline = (await pdf.getOutline()) ?? []
  const { info } = await pdf.getMetadata()
  return {
    pages,
    text: pages.join(' '),
    bookmarks: outline.map(({ title, items }) => ({ title, below: items.map((item: { title: string }) => item.title) })),
    title: (info as { Title?: unknown }).Title,
    roles,
    isMarked: (await pdf.getMarkInfo())?.Marked === true,
    links,
  }
}
