import { estimateWidth } from './charts/layout.ts'

/** What a picture says besides its values. */
interface Heading {
  readonly title: string
  readonly drawn: string
}

const NAMESPACE = 'http://www.w3.org/2000/svg'
const PADDING = 24
const TITLE_SIZE = 18
/** Letters of the title are wider than those of a picture. */
const TITLE_SCALE = 1.45
const TITLE_LINE = 25
/** Pixels of the picture for each pixel on the screen. */
const SCALE = 2
/** The properties of a style sheet that a picture needs, as attributes: a file has no style sheet. */
const PROPERTIES = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
]

const create = (name: string, attributes: Readonly<Record<string, string | number>>): SVGElement => {
  const element = document.createElementNS(NAMESPACE, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  return element
}

const copyStyles = (from: Element, to: Element): void => {
  const style = getComputedStyle(from)
  for (const property of PROPERTIES) to.setAttribute(property, style.getPropertyValue(property))
  to.removeAttribute('class')
  for (const [at, child] of [...from.children].entries()) {
    const copy = to.children[at]
    if (copy) copyStyles(child, copy)
  }
}

const wrapWords = (text: string, width: number): string[] => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && estimateWidth(`${line} ${word}`) * TITLE_SCALE <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

/** The buttons that a map has over its picture, as dots. */
const drawMarks = (card: HTMLElement, map: DOMRect): SVGElement[] =>
  [...card.querySelectorAll<HTMLElement>('[data-key]')].flatMap((mark) => {
    const { left, top, width, height } = mark.getBoundingClientRect()
    const style = getComputedStyle(mark)
    const [x, y] = [left - map.left + width / 2, top - map.top + height / 2]
    const dot = create('circle', { cx: x, cy: y, r: width / 2, fill: style.backgroundColor })
    const text = create('text', {
      x,
      y: y + 4,
      'text-anchor': 'middle',
      fill: style.color,
      'font-size': 13,
      'font-family': style.fontFamily,
    })
    text.textContent = mark.textContent
    return [dot, text]
  })

/** The picture of a card with its heading, in the colors of the screen. */
const drawSvg = (card: HTMLElement, { title, drawn }: Heading): { text: string; width: number; height: number } => {
  const svg = card.querySelector<SVGSVGElement>('svg[viewBox][data-chart], [data-map] svg[viewBox]')
  if (!svg) throw new Error('There is no picture to copy')
  const box = svg.getBoundingClientRect()
  const style = getComputedStyle(card)
  const font = { 'font-family': style.fontFamily, fill: style.color }
  const lines = wrapWords(title, box.width)
  const top = PADDING + lines.length * TITLE_LINE + 32
  const [width, height] = [box.width + 2 * PADDING, top + box.height + PADDING]
  const picture = create('svg', { xmlns: NAMESPACE, width, height, viewBox: `0 0 ${width} ${height}` })
  picture.append(create('rect', { width, height, fill: style.backgroundColor }))
  for (const [at, line] of lines.entries()) {
    const text = create('text', { ...font, x: PADDING, y: PADDING + 16 + at * TITLE_LINE, 'font-size': TITLE_SIZE, 'font-weight': 600 })
    text.textContent = line
    picture.append(text)
  }
  const below = create('text', { ...font, x: PADDING, y: top - 20, 'font-size': 13, opacity: 0.8 })
  below.textContent = drawn
  const copy = svg.cloneNode(true) as SVGSVGElement
  copyStyles(svg, copy)
  for (const element of copy.querySelectorAll('[data-spot], [data-picture="no"]')) element.remove()
  copy.setAttribute('x', String(PADDING))
  copy.setAttribute('y', String(top))
  copy.setAttribute('width', String(box.width))
  copy.setAttribute('height', String(box.height))
  const marks = create('g', { transform: `translate(${PADDING} ${top})` })
  marks.append(...drawMarks(card, box))
  picture.append(below, copy, marks)
  return { text: new XMLSerializer().serializeToString(picture), width, height }
}

/** The picture of a card as PNG. */
export const drawPicture = async (card: HTMLElement, heading: Heading): Promise<Blob> => {
  const { text, width, height } = drawSvg(card, heading)
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * SCALE)
  canvas.height = Math.round(height * SCALE)
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The picture could not be drawn')
  context.scale(SCALE, SCALE)
  context.drawImage(image, 0, 0, width, height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be drawn'))), 'image/png')
  })
}
