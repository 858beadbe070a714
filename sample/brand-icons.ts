/** Icons of the brands, drawn as paths in a 100 x 100 box, so that no font is needed. */
const MARKS = [
  '<circle cx="50" cy="50" r="34" fill="none" stroke-width="7"/><path d="M50 10v80M24 26q26 20 52 0M24 74q26-20 52 0" fill="none" stroke-width="6"/>',
  '<path d="M42 84L46 34h8l4 50z" class="f"/><path d="M40 32h20l-10-18z" class="f"/><path d="M62 26l24-8M62 32l24 8M38 26l-24-8M38 32l-24 8" fill="none" stroke-width="6"/>',
  '<path d="M50 10L76 44H62L82 70H18L38 44H24z" class="f"/><path d="M46 70h8v18h-8z" class="f"/>',
  '<path d="M82 14Q34 20 28 72l-8 14M30 68q34 0 46-34M30 68L66 34" fill="none" stroke-width="7" stroke-linecap="round"/>',
  '<path d="M12 56q20-26 38 0q18-26 38 0" fill="none" stroke-width="8" stroke-linecap="round"/><circle cx="50" cy="30" r="10" class="f"/>',
  '<path d="M50 90V16M50 34q-22-4-26-20M50 34q22-4 26-20M50 56q-26-4-32-22M50 56q26-4 32-22M50 76q-20-2-28-16M50 76q20-2 28-16" fill="none" stroke-width="6" stroke-linecap="round"/>',
  '<path d="M50 88Q50 40 50 12M38 88Q34 48 18 24M62 88Q66 48 82 24M26 88Q22 66 8 52M74 88Q78 66 92 52" fill="none" stroke-width="6" stroke-linecap="round"/>',
  '<path d="M34 36h32l6 42H28zM40 36V24h20v12M44 14h12M28 84h44" fill="none" stroke-width="6"/><circle cx="50" cy="58" r="9" class="f"/>',
]

const getMark = (brand: number): string => MARKS[brand % MARKS.length] ?? ''

const renderSvg = (width: number, height: number, body: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><style>.m{stroke:#fff}.m .f{fill:#fff;stroke:none}</style>${body}</svg>`

/** A brand's icon, 256 x 256. */
export const renderIcon = (brand: number, color: string): string =>
  renderSvg(
    256,
    256,
    `<rect width="256" height="256" rx="52" fill="${color}"/><g class="m" transform="translate(38 38) scale(1.8)">${getMark(brand)}</g>`,
  )

/** A brand's photo, 960 x 540: its mark on its color. */
export const renderBrandPhoto = (brand: number, color: string): string =>
  renderSvg(
    960,
    540,
    `<rect width="960" height="540" fill="${color}"/><circle cx="180" cy="120" r="420" fill="#fff" opacity=".06"/><circle cx="820" cy="520" r="330" fill="#000" opacity=".1"/><g class="m" transform="translate(330 120) scale(3)">${getMark(brand)}</g>`,
  )

const HILLS = [
  ['M0 380Q240 250 480 350T960 300V540H0z', 'M0 450Q300 360 620 440T960 400V540H0z'],
  ['M0 330Q180 380 400 290T960 380V540H0z', 'M0 430Q200 470 480 400T960 460V540H0z'],
  ['M0 400L200 250L340 360L520 220L760 390L960 300V540H0z', 'M0 470Q340 390 960 470V540H0z'],
] as const

/** The number of landscapes for the charters of a brand. */
export const LANDSCAPES = HILLS.length

/** A charter's photo: a landscape in its brand's color, with the brand's mark as a sun. */
export const renderCharterPhoto = (brand: number, color: string, landscape: number): string => {
  const [far, near] = HILLS[landscape % HILLS.length] ?? HILLS[0]
  const x = 560 - (landscape % HILLS.length) * 210
  return renderSvg(
    960,
    540,
    `<rect width="960" height="540" fill="#eef1ee"/><rect width="960" height="540" fill="${color}" opacity=".14"/><circle cx="${x + 90}" cy="190" r="120" fill="${color}"/><g class="m" transform="translate(${x + 20} 120) scale(1.4)">${getMark(brand)}</g><path d="${far}" fill="${color}" opacity=".38"/><path d="${near}" fill="${color}" opacity=".72"/>`,
  )
}
