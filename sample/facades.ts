/** Drawn pictures of buildings, 960 x 540: a sky, trees or hills, a front with its doors and windows, and a parking lot. */

const WIDTH = 960
const HEIGHT = 540
const GROUND = 424

const SHAPES = ['awnings', 'gable', 'plain', 'storeys', 'hall', 'arcade', 'tower'] as const
type Shape = (typeof SHAPES)[number]

interface Paint {
  readonly wall: string
  readonly shade: string
  readonly trim: string
}
const PAINTS: readonly Paint[] = [
  { wall: '#c06a4d', shade: '#8f452f', trim: '#7a3b2a' },
  { wall: '#e6d3b4', shade: '#c2a98a', trim: '#b98a55' },
  { wall: '#f0e6cf', shade: '#cdbd9d', trim: '#8f2d2f' },
  { wall: '#93a3b0', shade: '#6f7f8d', trim: '#3f4f5e' },
  { wall: '#dcdad4', shade: '#b4b1aa', trim: '#3f6c80' },
  { wall: '#a9b79a', shade: '#7f8f70', trim: '#4b5d3c' },
  { wall: '#e9cf9a', shade: '#c3a265', trim: '#7d5b1f' },
  { wall: '#b8a9c4', shade: '#8d7d9b', trim: '#55456a' },
]

interface Sky {
  readonly top: string
  readonly bottom: string
  readonly leaves: string
  readonly far: string
}
const SKIES: readonly Sky[] = [
  { top: '#a9c9e8', bottom: '#e3edf5', leaves: '#7f9b6c', far: '#a9c4b6' },
  { top: '#f3d9bd', bottom: '#f8e8d5', leaves: '#9a9b5f', far: '#cdbf9a' },
  { top: '#c6d4da', bottom: '#e6ebe9', leaves: '#74876c', far: '#b3bfae' },
  { top: '#b9d6ea', bottom: '#f2ece0', leaves: '#8da36b', far: '#b7ccb4' },
  { top: '#d7cfe6', bottom: '#f6e3df', leaves: '#80906f', far: '#bdb7c6' },
]

export interface Facade {
  readonly shape: Shape
  readonly paint: Paint
  readonly sky: Sky
  /** Varies a shape: its width, its trees, the side of the hills. */
  readonly turn: number
}

/** The number of distinct combinations of shapes and colors if both advance together. */
export const FACADES: readonly Facade[] = Array.from({ length: 28 }, (_, n) => ({
  shape: SHAPES[n % SHAPES.length] as Shape,
  paint: PAINTS[(n * 3 + Math.floor(n / 7)) % PAINTS.length] as Paint,
  sky: SKIES[(n * 2) % SKIES.length] as Sky,
  turn: n,
}))

const box = (x: number, y: number, width: number, height: number, fill: string, more = ''): string =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${more}/>`

const window = (x: number, y: number, width: number, height: number): string =>
  box(x, y, width, height, 'url(#glass)') +
  `<path d="M${x + width * 0.15} ${y + height}L${x + width * 0.6} ${y}h${width * 0.22}L${x + width * 0.37} ${y + height}z" fill="#fff" opacity=".16"/>` +
  box(x, y + height, width, 5, '#0003')

const doors = (middle: number, height: number, trim: string): string => {
  const top = GROUND - height
  return (
    box(middle - 66, top - 8, 132, height + 8, trim) +
    window(middle - 60, top, 57, height) +
    window(middle + 3, top, 57, height) +
    box(middle - 9, top + height * 0.5, 3, 34, '#e8edf0') +
    box(middle + 6, top + height * 0.5, 3, 34, '#e8edf0')
  )
}

const awning = (x: number, y: number, width: number, trim: string): string =>
  `<path d="M${x + 14} ${y}h${width - 28}l14 26h${-width}z" fill="${trim}"/>` + box(x, y + 26, width, 6, '#0002')

const sign = (middle: number, y: number, trim: string): string =>
  box(middle - 120, y, 240, 40, trim, 'rx="4"') + box(middle - 82, y + 16, 164, 7, '#fff', 'rx="3" opacity=".85"')

/** Windows in a row on both sides of the doors. */
const rowOfWindows = (left: number, width: number, y: number, height: number, each: number): string => {
  const middle = left + width / 2
  const places: number[] = []
  for (let x = left + 28; x + each < middle - 84; x += each + 16) places.push(x)
  return places.map((x) => window(x, y, each, height) + window(2 * middle - x - each, y, each, height)).join('')
}

const wall = (left: number, top: number, width: number, { trim }: Paint): string =>
  box(left, top, width, GROUND - top, 'url(#wall)') +
  `<path d="M${left} ${GROUND}L${left + width * 0.28} ${top}h${width * 0.1}L${left + width * 0.1} ${GROUND}z" fill="#fff" opacity=".07"/>` +
  box(left - 10, top - 12, width + 20, 16, trim, 'rx="2"')

const building = ({ shape, paint, turn }: Facade): string => {
  const width = 560 + ((turn * 37) % 5) * 36
  const left = (WIDTH - width) / 2 + (((turn * 23) % 3) - 1) * 22
  const middle = left + width / 2
  const { trim, shade } = paint
  switch (shape) {
    case 'gable':
      return (
        `<path d="M${middle - 150} 160L${middle} 78L${middle + 150} 160z" fill="${shade}"/>` +
        wall(left, 168, width, paint) +
        sign(middle, 196, trim) +
        doors(middle, 132, trim) +
        rowOfWindows(left, width, 308, 82, 92) +
        box(left, GROUND - 14, width, 14, shade)
      )
    case 'storeys':
      return (
        wall(left, 92, width, paint) +
        Array.from({ length: 2 }, (_, floor) => rowOfWindows(left, width, 112 + floor * 72, 52, 70)).join('') +
        sign(middle, 244, trim) +
        box(left, 292, width, 8, trim) +
        doors(middle, 112, trim) +
        rowOfWindows(left, width, 316, 80, 86)
      )
    case 'hall':
      return (
        `<path d="M${left - 12} 190Q${middle} 92 ${left + width + 12} 190z" fill="${trim}"/>` +
        box(left, 186, width, GROUND - 186, 'url(#wall)') +
        Array.from({ length: 3 }, (_, bay) => {
          const x = left + 36 + bay * ((width - 72) / 3)
          const across = (width - 72) / 3 - 26
          return bay === 1
            ? ''
            : box(x, 268, across, GROUND - 268, '#eef0ee') +
                Array.from({ length: 7 }, (__, slat) => box(x, 268 + slat * 22, across, 3, '#0001')).join('')
        }).join('') +
        sign(middle, 206, trim) +
        doors(middle, 124, trim)
      )
    case 'arcade':
      return (
        wall(left, 150, width, paint) +
        sign(middle, 172, trim) +
        Array.from({ length: 5 }, (_, arch) => {
          const across = width / 5
          const x = left + arch * across + 14
          const wide = across - 28
          const opening = `M${x} ${GROUND}V${290 + wide / 4}a${wide / 2} ${wide / 2.2} 0 0 1 ${wide} 0V${GROUND}z`
          return `<path d="${opening}" fill="${shade}"/><path d="${opening}" fill="url(#glass)" transform="translate(${x + wide / 2} ${GROUND}) scale(.8) translate(${-(x + wide / 2)} ${-GROUND})"/>`
        }).join('')
      )
    case 'tower':
      return (
        wall(left, 190, width, paint) +
        box(middle - 96, 104, 192, GROUND - 104, shade) +
        `<path d="M${middle - 112} 108L${middle} 40L${middle + 112} 108z" fill="${trim}"/>` +
        `<circle cx="${middle}" cy="158" r="30" fill="#f6f3ea"/><path d="M${middle} 158V136M${middle} 158h15" stroke="#333" stroke-width="4" fill="none"/>` +
        box(middle - 78, 222, 156, 30, trim, 'rx="4"') +
        doors(middle, 136, trim) +
        rowOfWindows(left, width, 296, 92, 74)
      )
    case 'awnings':
      return (
        wall(left, 162, width, paint) +
        sign(middle, 190, trim) +
        doors(middle, 138, trim) +
        rowOfWindows(left, width, 304, 88, 94) +
        awning(left + 12, 270, middle - 84 - left - 12, trim) +
        awning(middle + 84, 270, middle - 84 - left - 12, trim)
      )
    case 'plain':
      return (
        wall(left, 152, width, paint) +
        box(left + 16, 168, width - 32, 4, '#0001') +
        sign(middle, 188, trim) +
        doors(middle, 142, trim) +
        rowOfWindows(left, width, 292, 104, 84)
      )
  }
}

const surroundings = ({ turn }: Facade): string => {
  const side = turn % 2 === 0 ? 0 : WIDTH
  const towards = side === 0 ? 1 : -1
  return (
    box(0, 0, WIDTH, HEIGHT, 'url(#sky)') +
    `<ellipse cx="${side + towards * 190}" cy="424" rx="300" ry="${96 + (turn % 4) * 14}" fill="url(#far)"/>` +
    `<ellipse cx="${WIDTH - side - towards * 60}" cy="420" rx="230" ry="${150 - (turn % 3) * 22}" fill="url(#far)" opacity=".75"/>` +
    [70, 870, 950, 10]
      .map((x, tree) => {
        const height = 66 + ((turn * 13 + tree * 29) % 60)
        return `<rect x="${x - 5}" y="${GROUND - height}" width="10" height="${height}" fill="#7b6a55"/><ellipse cx="${x}" cy="${GROUND - height}" rx="${46 + (tree % 2) * 14}" ry="${height * 0.82}" fill="url(#leaves)"/>`
      })
      .join('')
  )
}

const renderParkingLot = ({ turn }: Facade): string => {
  const lines = [-420, -250, -84, 84, 250, 420]
  return (
    box(0, GROUND, WIDTH, 24, '#cfccc4') +
    box(0, GROUND + 20, WIDTH, 6, '#a8a59d') +
    box(0, GROUND + 26, WIDTH, HEIGHT - GROUND - 26, '#77757a') +
    lines
      .map((x) => `<path d="M${480 + x} ${GROUND + 34}L${480 + x * 1.3} ${HEIGHT}" stroke="#e9e7e2" stroke-width="5" opacity=".8"/>`)
      .join('') +
    (turn % 3 === 1 ? box(0, GROUND - 6, WIDTH, 8, '#8ea06f', 'opacity=".6"') : '')
  )
}

/** Fades to the edge. A gradient instead of a blur, which takes the renderer half a second. */
const createFade = (id: string, color: string, solid: number): string =>
  `<radialGradient id="${id}"><stop offset="${solid}" stop-color="${color}"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient>`

export const renderFacade = (
  facade: Facade,
): string => `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">
<defs>
<linearGradient id="sky" x2="0" y2="1"><stop stop-color="${facade.sky.top}"/><stop offset=".8" stop-color="${facade.sky.bottom}"/></linearGradient>
<linearGradient id="wall" x2="1" y2=".4"><stop stop-color="${facade.paint.wall}"/><stop offset="1" stop-color="${facade.paint.shade}"/></linearGradient>
<linearGradient id="glass" x2=".7" y2="1"><stop stop-color="#cfdde4"/><stop offset=".5" stop-color="#7f98a8"/><stop offset="1" stop-color="#3f5362"/></linearGradient>
${createFade('far', facade.sky.far, 0.82)}${createFade('leaves', facade.sky.leaves, 0.88)}
</defs>
${surroundings(facade)}${building(facade)}${renderParkingLot(facade)}</svg>`
