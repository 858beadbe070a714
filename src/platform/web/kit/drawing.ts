/** Three school buildings, since most sites are schools. */
const SCHOOLS = ['school', 'pavilion', 'storeys'] as const

/** The subjects of the drawings. */
export type Scene = (typeof SCHOOLS)[number] | 'warehouse' | 'online' | 'office' | 'partners' | 'campus'

/** Drawings by facility type, with both spellings of the office; everything else is a school. */
const SCENES: Readonly<Record<string, Scene>> = {
  campus: 'campus',
  'Distribution Center': 'warehouse',
  Online: 'online',
  'Administrative Office': 'office',
  'Administration Office': 'office',
  Partnership: 'partners',
}

const HUES = 5
const GROVES = 3

export interface Drawing {
  readonly scene: Scene
  readonly hue: number
  readonly grove: number
  readonly isMirrored: boolean
}

/** FNV-1a, so that ids that differ in one letter look different. */
const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return (hash ^ (hash >>> 15)) >>> 0
}

/** The drawing of a record: always the same, and rarely equal to its neighbor's in a list. */
export const getDrawing = (type: string | null, id: string): Drawing => {
  const hash = hashText(id)
  return {
    scene: type === 'campus' ? 'campus' : (type !== null && Object.hasOwn(SCENES, type) && SCENES[type]) || 'school',
    hue: hash % HUES,
    grove: (hash >>> 8) % GROVES,
    isMirrored: ((hash >>> 16) & 1) === 1,
  }
}
