/** Initials of the first and last word of a name, ignoring nicknames in quotes or parentheses. */
export const getInitials = (name: string): string => {
  const words = name
    .replace(/[“"(][^“”"()]*[”")]/g, ' ')
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}]+/u, ''))
    .filter(Boolean)
  const first = words[0] ?? ''
  const last = words.length > 1 ? (words.at(-1) ?? '') : ''
  return [first, last].map((word) => [...word][0]?.toLocaleUpperCase('en') ?? '').join('')
}

/** Background and text color of a tint, for light and dark mode. */
export interface Tint {
  readonly light: { readonly ground: string; readonly letters: string }
  readonly dark: { readonly ground: string; readonly letters: string }
}

/** The six color pairs of the design: contrast of at least 6.9:1 in light and 7.5:1 in dark mode. */
const TINTS = [
  { light: { ground: '#e0f0f2', letters: '#17525d' }, dark: { ground: '#163a41', letters: '#a9dde7' } },
  { light: { ground: '#e3e9fb', letters: '#283f94' }, dark: { ground: '#293353', letters: '#bccdf9' } },
  { light: { ground: '#fbe5e2', letters: '#8a2c22' }, dark: { ground: '#49231e', letters: '#f5bab1' } },
  { light: { ground: '#f2e6f7', letters: '#5f2a74' }, dark: { ground: '#3f2749', letters: '#e3bff0' } },
  { light: { ground: '#fbf0d6', letters: '#6a4906' }, dark: { ground: '#3d300f', letters: '#f2d28a' } },
  { light: { ground: '#e3f2e8', letters: '#1b5834' }, dark: { ground: '#1b3a28', letters: '#a3dcb8' } },
] as const satisfies readonly Tint[]

/** The tint of a name, always the same. */
export const getTint = (name: string): Tint => {
  let hash = 7
  for (const letter of name) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003
  return TINTS[hash % TINTS.length] ?? TINTS[0]
}
